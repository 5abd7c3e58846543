/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include "lab/base/failure.h"

#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct page_file {
  const char *path; /* as given */
  char *target;     /* where links lead to */
  char *unfinished; /* name until then; NULL: none left to remove */
  FILE *stream;
};

static page_file the_file;

static void remove_unfinished(void) {
  if (the_file.unfinished)
    unlink(the_file.unfinished);
}

static _Noreturn void refuse(const char *path, const char *reason) {
  fprintf(stderr,
          "eown-lab: --html: '%s' is not valid: expected a file that can be "
          "written: %s\n",
          path, reason);
  exit(2);
}

/* Devices and folders are not replaced by a file. */
static void check_target(const char *path) {
  struct stat found;
  if (!*path)
    refuse(path, "no name");
  if (stat(path, &found) != 0) {
    if (errno != ENOENT)
      refuse(path, strerror(errno));
    return;
  }
  if (!S_ISREG(found.st_mode))
    refuse(path,
           S_ISDIR(found.st_mode) ? "it is a folder" : "it is no regular file");
  if (access(path, W_OK) != 0)
    refuse(path, strerror(errno));
}

/* Beside the target, so that the last step is a renaming. */
static char *make_name(const char *target) {
  char *copy = lab_format("%s", target);
  char *name = lab_format("%s/.eown-lab.XXXXXX", dirname(copy));
  free(copy);
  return name;
}

page_file *page_file_open(const char *path) {
  if (!path)
    return NULL;
  check_target(path);
  char *real = realpath(path, NULL);
  char *target = real ? real : lab_format("%s", path);
  the_file = (page_file){.path = path, .target = target};
  char *name = make_name(target);
  int descriptor = mkstemp(name);
  if (descriptor < 0)
    refuse(path, strerror(errno));
  the_file.unfinished = name;
  atexit(remove_unfinished);
  at_quick_exit(remove_unfinished); /* as bad input of radius ends it */
  the_file.stream = fdopen(descriptor, "w");
  if (!the_file.stream)
    lab_fail("out of memory");
  return &the_file;
}

FILE *page_file_stream(const page_file *file) { return file->stream; }

/* The permissions any new file would have. */
static mode_t usual_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

void page_file_finish(page_file *file) {
  bool good = fflush(file->stream) == 0 && !ferror(file->stream) &&
              fchmod(fileno(file->stream), usual_mode()) == 0;
  good = fclose(file->stream) == 0 && good;
  if (!good || rename(file->unfinished, file->target) != 0)
    lab_fail("cannot write '%s': %s", file->path, strerror(errno));
  free(file->unfinished);
  free(file->target);
  *file = (page_file){0};
}
