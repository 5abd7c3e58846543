/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fake.h"

#include "gtest_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_script(const char *path, const char *text) {
  FILE *file = fopen(path, "we");
  if (file == NULL) {
    perror(path);
    abort();
  }
  fprintf(file, "#!/bin/sh\n%s", text);
  fclose(file);
  chmod(path, S_IRWXU);
}

void fake_init(fake *fake, const char *folder, const char *text) {
  snprintf(fake->folder, sizeof fake->folder, "/tmp/eown-mesh.XXXXXX");
  if (mkdtemp(fake->folder) == NULL) {
    perror(fake->folder);
    abort();
  }
  snprintf(fake->peer, sizeof fake->peer, "%s/%s", fake->folder, folder);
  snprintf(fake->node, sizeof fake->node, "%s/node", fake->peer);
  CHECK_EQ(0, mkdir(fake->peer, S_IRWXU));
  if (text != NULL)
    write_script(fake->node, text);
}

void fake_clear(fake *fake) {
  unlink(fake->node);
  CHECK_EQ(0, rmdir(fake->peer));
  CHECK_EQ(0, rmdir(fake->folder));
}

void fake_run(const fake *fake, const char *const *words, e2e_run *run) {
  char variable[96];
  snprintf(variable, sizeof variable, "EOWN_PEERS_DIR=%s", fake->folder);
  const char *all[E2E_WORDS_MAX] = {"/usr/bin/env", variable, E2E_LAB, NULL};
  e2e_words_add(all, words);
  e2e_run_words(all, run);
}
