/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define TERMINAL_INTERVAL_MS 100u
#define LINE_INTERVAL_MS 1000u

uint64_t lab_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void lab_progress_init(lab_progress *progress, bool wanted) {
  bool terminal = isatty(STDERR_FILENO) == 1;
  *progress = (lab_progress){.shown = wanted || terminal, .terminal = terminal};
}

void lab_progress_label(lab_progress *progress, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(progress->label, sizeof(progress->label), format, arguments);
  va_end(arguments);
  progress->next_ms = 0;
}

static void show(lab_progress *progress, const char *numbers) {
  if (progress->terminal)
    fprintf(stderr, "\r\033[K%s%s", progress->label, numbers);
  else
    fprintf(stderr, "%s%s\n", progress->label, numbers);
  fflush(stderr);
  progress->next_ms = lab_now_ms() + (progress->terminal ? TERMINAL_INTERVAL_MS
                                                         : LINE_INTERVAL_MS);
}

void lab_progress_update(lab_progress *progress, uint64_t done,
                         uint64_t total) {
  if (!progress->shown || lab_now_ms() < progress->next_ms)
    return;
  char numbers[64];
  snprintf(numbers, sizeof(numbers), ": %" PRIu64 " of %" PRIu64 " requests",
           done, total);
  show(progress, numbers);
}

void lab_progress_say(lab_progress *progress) {
  if (progress->shown)
    show(progress, "");
}

void lab_progress_clear(lab_progress *progress) {
  if (progress->shown && progress->terminal)
    fputs("\r\033[K", stderr);
}
