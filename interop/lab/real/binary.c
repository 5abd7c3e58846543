/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "binary.h"

#include "lab/base/failure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *if_executable(char *path) {
  if (access(path, X_OK) == 0)
    return path;
  free(path);
  return NULL;
}

char *lab_binary_find(const char *folder, const char *name) {
  char here[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", here, sizeof(here) - 1);
  char *found = NULL;
  if (length > 0) {
    here[length] = '\0';
    char *slash = strrchr(here, '/');
    if (slash)
      *slash = '\0';
    found = if_executable(lab_format("%s/../%s/%s", here, folder, name));
    if (!found)
      found = if_executable(lab_format("%s/%s", here, name));
  }
  return found ? found : lab_format("%s", name);
}
