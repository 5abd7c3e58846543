/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_REPORT_H
#define EOWN_TESTS_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_LINES_MAX 64

/* One measured row. */
typedef struct line {
  char name[32];
  char path[8];
  double instructions; /* per RPC */
  double allocations;  /* of eown's, per RPC */
  const char *base;    /* the row that the ratio is to */
  double ratio;
} line;

/* A goal for one row: a bound of the instructions over stock's, and maybe that
 * eown allocates nothing. */
typedef struct goal {
  const char *name;
  const char *path;
  double percent;
  bool no_allocation;
} goal;

/* One measured ratio of times. */
typedef struct timing {
  char name[32];
  double median, low, high;
} timing;

typedef struct report {
  line lines[REPORT_LINES_MAX];
  size_t lines_n;
  timing timings[REPORT_LINES_MAX];
  size_t timings_n;
} report;

extern const goal report_goals[3];

extern const char report_note[];

const line *report_find(const report *report, const char *name,
                        const char *path);

/* Instructions over stock's, in percent. */
double report_percent(const line *line);

bool report_is_met(const goal *goal, const line *line);

void report_print_json(const report *report);
void report_print_table(const report *report);

#endif /* EOWN_TESTS_BENCH_REPORT_H */
