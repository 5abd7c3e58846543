/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_SUPPORT_H
#define EOWN_TESTS_UNIT_SUPPORT_H

#include "eown/allocator.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pseudo-random numbers that are the same in every run (xorshift64*). */
typedef struct test_random {
  uint64_t state; /* not 0 */
} test_random;

uint64_t test_random_next(test_random *random);

/* Returns a number below `bound`, which is not 0. */
uint32_t test_random_below(test_random *random, uint32_t bound);

/* An allocator that counts, and can fail one allocation. Safe under threads. */
typedef struct test_allocator {
  eown_allocator base;       /* hand &base to the library */
  unsigned long fail_at;     /* the 1-based allocation that fails; 0: none */
  unsigned long allocations; /* asked for so far */
  long live;                 /* given and not yet taken back */
} test_allocator;

void test_allocator_init(test_allocator *allocator, unsigned long fail_at);

/* Calls `run(i, user)` on TEST_THREADS threads at once and waits for all; ends
 * the program where a thread cannot be had. */
#define TEST_THREADS 8
void test_on_threads(void (*run)(unsigned index, void *user), void *user);

#endif /* EOWN_TESTS_UNIT_SUPPORT_H */
