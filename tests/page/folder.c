/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/eown-page.XXXXXX";
static bool made;

static int remove_entry(const char *path, const struct stat *about, int type,
                        struct FTW *where) {
  (void)about;
  (void)type;
  (void)where;
  return remove(path);
}

static void remove_folder(void) {
  nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static _Noreturn void give_up(const char *what) {
  perror(what);
  exit(1);
}

char *page_format(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    give_up("memory");
  va_end(arguments);
  return text;
}

char *page_folder_path(const char *name) {
  if (!made) {
    if (!mkdtemp(folder))
      give_up(folder);
    made = true;
    atexit(remove_folder);
  }
  return page_format("%s/%s", folder, name);
}

int page_folder_count(const char *prefix) {
  free(page_folder_path(""));
  DIR *directory = opendir(folder);
  int count = 0;
  if (!directory)
    give_up(folder);
  for (struct dirent *entry; (entry = readdir(directory));)
    count += !strncmp(entry->d_name, prefix, strlen(prefix));
  closedir(directory);
  return count;
}

char *page_file_read(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t length = 0;
  if (!file || getdelim(&text, &length, '\0', file) < 0)
    give_up(path);
  fclose(file);
  return text;
}

void page_file_write(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0)
    give_up(path);
}
