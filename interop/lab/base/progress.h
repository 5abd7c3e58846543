/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROGRESS_H
#define EOWN_LAB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* The progress line on standard error: rewritten in place on a terminal, one
 * line a second elsewhere (and there only when it was asked for). */
typedef struct lab_progress {
  bool shown;
  bool terminal;
  char label[96];
  uint64_t next_ms; /* not before this, on the monotonic clock */
} lab_progress;

/* Shows progress where standard error is a terminal or `wanted` is set. */
void lab_progress_init(lab_progress *progress, bool wanted);

/* Sets the text in front of the numbers. */
void lab_progress_label(lab_progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Shows `done` of `total` requests; cheap when it is not yet time. */
void lab_progress_update(lab_progress *progress, uint64_t done, uint64_t total);

/* Shows the label alone, at once. */
void lab_progress_say(lab_progress *progress);

/* Clears the line, for other output. */
void lab_progress_clear(lab_progress *progress);

/* Milliseconds on the monotonic clock. */
uint64_t lab_now_ms(void);

#endif /* EOWN_LAB_PROGRESS_H */
