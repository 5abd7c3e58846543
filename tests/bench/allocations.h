/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_ALLOCATIONS_H
#define EOWN_TESTS_BENCH_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts the heap allocations of eown's libraries: calls of malloc and its
 * family and of operator new whose caller is libeown or libeown-grpc, or is the
 * C, C++ or abseil runtime working for them. What libgrpc allocates when eown
 * calls it (room for metadata that eown appends) is gRPC's own. A program
 * counts when allocations.cc is linked into it. */

/* Finds the libraries and starts to count, from 0. */
void allocations_start(void);

/* Stops and returns the number of allocations since the start. */
uint64_t allocations_stop(void);

/* Checks the counting itself, by a call into eown that must allocate and one
 * that must not count; false with a message on stderr where it is wrong. */
bool allocations_check(void);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_TESTS_BENCH_ALLOCATIONS_H */
