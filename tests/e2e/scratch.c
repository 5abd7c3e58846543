/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include "gtest_c.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void e2e_scratch_init(e2e_scratch *scratch) {
  *scratch = (e2e_scratch){.folder = "/tmp/eown-e2e.XXXXXX"};
  if (mkdtemp(scratch->folder) == NULL) {
    perror(scratch->folder);
    abort();
  }
}

const char *e2e_scratch_script(e2e_scratch *scratch, const char *text) {
  snprintf(scratch->script, sizeof scratch->script, "%s/node", scratch->folder);
  FILE *file = fopen(scratch->script, "we");
  if (file == NULL) {
    perror(scratch->script);
    abort();
  }
  fprintf(file, "#!/bin/sh\n%s", text);
  fclose(file);
  chmod(scratch->script, S_IRWXU);
  return scratch->script;
}

bool e2e_scratch_is_empty(const e2e_scratch *scratch) {
  size_t entries = 0;
  DIR *directory = opendir(scratch->folder);
  if (directory == NULL)
    return false;
  while (readdir(directory) != NULL)
    entries++;
  closedir(directory);
  return entries == 2; /* "." and ".." */
}

void e2e_scratch_clear(e2e_scratch *scratch) {
  if (scratch->script[0] != '\0')
    unlink(scratch->script);
  CHECK_EQ(0, rmdir(scratch->folder));
}
