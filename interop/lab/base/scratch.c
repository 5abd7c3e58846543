/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include "failure.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[4096];

static void remove_folder(void) {
  DIR *directory = opendir(folder);
  if (!directory)
    return;
  for (struct dirent *entry; (entry = readdir(directory));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(directory), entry->d_name, 0);
  closedir(directory);
  rmdir(folder);
}

const char *lab_scratch_folder(void) {
  if (*folder)
    return folder;
  const char *root = getenv("TMPDIR");
  char *template =
      lab_format("%s/eown-lab.XXXXXX", root && *root ? root : "/tmp");
  if (strlen(template) >= sizeof(folder) || !mkdtemp(template))
    lab_fail("cannot make a folder like %s: %s", template, strerror(errno));
  memcpy(folder, template, strlen(template) + 1);
  free(template);
  atexit(remove_folder);
  return folder;
}
