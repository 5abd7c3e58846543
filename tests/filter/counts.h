/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_COUNTS_H
#define EOWN_TESTS_FILTER_COUNTS_H

#include "eown/counters.h"

typedef struct test_counts {
  char text[1024];
} test_counts;

/* All counters that are not zero, in the order of the list: "local 1 unreached
 * 1". An expectation so written also says that nothing else was counted. */
test_counts test_counts_read(void);

/* The same, leaving one of them out. */
test_counts test_counts_without(eown_counter left_out);

/* The same of one outbound method. */
test_counts test_counts_of(const char *method);

#define CHECK_COUNTS(expected) CHECK_STREQ(expected, test_counts_read().text)

#endif /* EOWN_TESTS_FILTER_COUNTS_H */
