/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* More outbound methods than are counted one by one. A program of its own, as
 * the table belongs to the process. */
#include "eown/counters.h"

#include "gtest_c.h"
#include "support.h"

#include <stdio.h>

enum { METHODS = EOWN_COUNTER_METHODS + 44 };

static void count_all(unsigned index, void *user) {
  (void)user;
  for (unsigned i = 0; i < METHODS; i++) {
    char method[32];
    int length =
        snprintf(method, sizeof method, "/m.S/M%u", (i + index * 37) % METHODS);
    eown_count_method(EOWN_COUNTER_local, method, (uint32_t)length);
  }
}

typedef struct sum {
  int methods;
  uint64_t value;
} sum;

static void add(void *user, const char *method, const uint64_t *values) {
  sum *self = user;
  CHECK_NOT_NULL(method);
  self->methods++;
  self->value += values[EOWN_COUNTER_local];
  CHECK_EQ(TEST_THREADS, values[EOWN_COUNTER_local]);
}

EOWN_TEST(CountersLimit, TheRestShareTheTotals) {
  test_on_threads(count_all, NULL);
  CHECK_EQ(METHODS * TEST_THREADS, eown_counter_read(EOWN_COUNTER_local));
  sum all = {0};
  eown_counters_each(add, &all);
  CHECK_EQ(EOWN_COUNTER_METHODS, all.methods);
  CHECK_EQ(EOWN_COUNTER_METHODS * TEST_THREADS, all.value);
  CHECK_LT(0, eown_counter_read(EOWN_COUNTER_method_limit));
}
