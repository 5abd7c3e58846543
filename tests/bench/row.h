/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_ROW_H
#define EOWN_TESTS_BENCH_ROW_H

#include <stdbool.h>

/* What is around the client's calls. */
typedef enum row_loop {
  ROW_LOOP_NONE,
  ROW_LOOP_BY_HAND, /* a retry loop as people write them */
  ROW_LOOP_OWNED,   /* eown_retry_loop */
} row_loop;

/* One row of the table: how the client and the server are set up. */
typedef struct row {
  const char *name;
  const char *mode; /* value of eown.mode on both sides; NULL: no eown */
  bool chain;       /* the server's handler makes an outbound call */
  bool forgetful;   /* eown.memory is off */
  bool unclaimed;   /* the error is somebody else's; the client has a retry
                       policy, which the pushback stops */
  row_loop loop;
} row;

/* Returns the row of that name, or NULL. */
const row *row_find(const char *name);

/* Calls `visit` for each row. */
void row_each(void (*visit)(const row *row));

#endif /* EOWN_TESTS_BENCH_ROW_H */
