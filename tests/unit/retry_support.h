/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_RETRY_SUPPORT_H
#define EOWN_TESTS_UNIT_RETRY_SUPPORT_H

#include "eown/retry.h"

/* Random bits for a factor of exactly 1. */
#define TEST_NO_JITTER 0x80000000u

/* `attempts` of UNAVAILABLE, a backoff of 10 ms that doubles up to 30 ms. */
eown_retry_options test_retry_options(int32_t attempts);

/* An end with UNAVAILABLE, and with this claim as its trailers say it. */
eown_retry_end test_retry_end(eown_claim claim);

/* One call of the loop: begins, and ends so. */
eown_retry_answer test_retry_call(eown_retry_loop *loop, eown_retry_end end);

/* Checks an answer: whether it is to go on, and why (or why not). */
void test_retry_check(eown_retry_answer answer, bool again, eown_loop reason);
#define ANSWERS(answer, again, reason)                                         \
  do {                                                                         \
    TEST_TRACE("answered here");                                               \
    test_retry_check(answer, again, reason);                                   \
  } while (0)

#endif /* EOWN_TESTS_UNIT_RETRY_SUPPORT_H */
