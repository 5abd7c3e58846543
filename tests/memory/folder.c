/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void test_folder_make(test_folder *folder) {
  strcpy(folder->path, "/tmp/eown-memory-test-XXXXXX");
  if (!mkdtemp(folder->path)) {
    perror(folder->path);
    abort();
  }
}

void test_folder_path(const test_folder *folder, const char *name, char *path) {
  snprintf(path, 128, "%s/%s", folder->path, name);
}

void test_folder_remove(const test_folder *folder) {
  DIR *open = opendir(folder->path);
  struct dirent *entry;
  while (open && (entry = readdir(open))) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
    unlink(path);
  }
  if (open)
    closedir(open);
  rmdir(folder->path);
}

bool test_file_exists(const char *path) { return access(path, F_OK) == 0; }

void test_file_write(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    abort();
}

uint8_t *test_file_read(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size + 1);
  if (!data || fread(data, 1, *size, file) != *size)
    abort();
  fclose(file);
  return data;
}

uint64_t test_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool test_wait(bool (*done)(void *user), void *user) {
  for (uint64_t until = test_now_ms() + 30000; test_now_ms() < until;) {
    if (done(user))
      return true;
    usleep(2000);
  }
  return false;
}
