/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_OPTIONS_H
#define EOWN_TESTS_BENCH_OPTIONS_H

#include "row.h"

#include <stdint.h>

/* The command line of the bench programs. */
typedef struct options {
  const struct row *row; /* NULL: --time */
  bool error;
  bool time;
  uint64_t rpcs;   /* in one round, or in one part of a pair */
  uint64_t warmup; /* before each round, not counted */
  uint64_t rounds; /* with a new client and server each */
  uint64_t pairs;
} options;

/* Reads it; where it is not good, ends the program with the usage. */
void options_read(options *options, int argc, char **argv);

#endif /* EOWN_TESTS_BENCH_OPTIONS_H */
