/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "counters_file.h"

#include "eown/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <grpc/support/log.h>

#include "worker.h"

#define INTERVAL_MS 5000
#define PATH_SIZE 1024

static char path[PATH_SIZE];
static char aside[PATH_SIZE + 8];
static pid_t process; /* that started: its children share the path */
static bool complained;
static eown__worker worker;

/* --- the text ------------------------------------------------------------- */

static void write_total(FILE *file, eown_counter counter) {
  const char *name = eown_counter_name(counter);
  fprintf(file,
          "# HELP eown_%s_total %s\n# TYPE eown_%s_total counter\n"
          "eown_%s_total %llu\n",
          name, eown_counter_text(counter), name, name,
          (unsigned long long)eown_counter_read(counter));
}

static void write_label(FILE *file, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '\\' || *text == '"')
      fputc('\\', file);
    fputc(*text == '\n' ? ' ' : *text, file);
  }
}

/* Under names of their own: summed up with the totals they would count twice.
 */
static void write_method(void *user, const char *method,
                         const uint64_t *values) {
  FILE *file = user;
  for (int i = 0; i < EOWN_COUNTER_N; i++) {
    if (values[i] == 0)
      continue;
    fprintf(file, "eown_method_%s_total{method=\"",
            eown_counter_name((eown_counter)i));
    write_label(file, method);
    fprintf(file, "\"} %llu\n", (unsigned long long)values[i]);
  }
}

static bool write_file(void) {
  FILE *file = fopen(aside, "we");
  if (file == NULL)
    return false;
  for (int i = 0; i < EOWN_COUNTER_N; i++)
    write_total(file, (eown_counter)i);
  eown_counters_each(write_method, file);
  bool written = ferror(file) == 0;
  return fclose(file) == 0 && written && rename(aside, path) == 0;
}

/* Renaming would put the file in the place of a device: of /dev/null itself. */
static bool is_replaceable(void) {
  struct stat there;
  return stat(path, &there) != 0 || S_ISREG(there.st_mode);
}

static void complain(const char *why) {
  if (!complained)
    gpr_log(GPR_ERROR, "eown: EOWN_COUNTERS: %s cannot be written: %s", path,
            why);
  complained = true;
}

static void save(void) {
  if (!is_replaceable())
    complain("expected a regular file, or none yet");
  else if (!write_file())
    complain(strerror(errno));
}

/* --- when ----------------------------------------------------------------- */

static void *work(void *user) {
  while (eown__worker_wait(user, INTERVAL_MS))
    save();
  return NULL;
}

/* The end of the process, or of a child that it forked: a child has neither the
 * thread nor the file. */
__attribute__((destructor)) static void stop(void) {
  if (process == 0 || process != getpid())
    return;
  eown__worker_stop(&worker);
  save();
}

/* False where the path is longer than we take. */
static bool expand(const char *from) {
  const char *mark = strstr(from, "%p");
  int head = mark == NULL ? (int)strlen(from) : (int)(mark - from);
  char id[16] = "";
  if (mark != NULL)
    snprintf(id, sizeof(id), "%d", (int)getpid());
  int length = snprintf(path, sizeof(path), "%.*s%s%s", head, from, id,
                        mark == NULL ? "" : mark + 2);
  snprintf(aside, sizeof(aside), "%s.new", path);
  return length > 0 && (size_t)length < sizeof(path);
}

void eown_counters_file_start(void) {
  const char *wish = getenv("EOWN_COUNTERS");
  if (wish == NULL || wish[0] == '\0')
    return;
  if (!expand(wish)) {
    gpr_log(GPR_ERROR,
            "eown: EOWN_COUNTERS: \"%.64s...\" is not valid: expected a path "
            "of at most %d bytes",
            wish, PATH_SIZE - 1);
    return;
  }
  save();
  if (eown__worker_start(&worker, work, &worker))
    process = getpid();
}
