/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_TIMING_H
#define EOWN_TESTS_BENCH_TIMING_H

#include <stdint.h>

/* Measures the time that `rpcs` calls take, over and over: on a stock pair of
 * client and server, right after it (or before: in turn) on one in enforce
 * mode, and once more on a second stock pair, whose ratio shows how far noise
 * alone goes. Prints the median of the ratios of `pairs` pairs, with the
 * quartiles. gRPC and eown must be initialised. */
void timing_run(uint64_t pairs, uint64_t rpcs);

#endif /* EOWN_TESTS_BENCH_TIMING_H */
