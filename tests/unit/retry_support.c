/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "retry_support.h"

#include "gtest_c.h"

#include <string.h>

eown_retry_options test_retry_options(int32_t attempts) {
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = attempts;
  options.initial_backoff_ms = 10;
  options.max_backoff_ms = 30;
  return options;
}

eown_retry_end test_retry_end(eown_claim claim) {
  eown_retry_end end = {.status = EOWN_STATUS_UNAVAILABLE};
  const char *name = eown_claim_name(claim);
  if (claim != EOWN_CLAIM_MISSING)
    eown_retry_end_feed(&end, NULL, EOWN_CLAIM_KEY, strlen(EOWN_CLAIM_KEY),
                        name, strlen(name));
  return end;
}

eown_retry_answer test_retry_call(eown_retry_loop *loop, eown_retry_end end) {
  eown_retry_begin(loop, 1000);
  return eown_retry_again(loop, &end, 1000, TEST_NO_JITTER);
}

void test_retry_check(eown_retry_answer answer, bool again, eown_loop reason) {
  CHECK_STREQ(eown_loop_name(reason), eown_loop_name(answer.reason));
  CHECK_EQ(again, answer.again);
}
