/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* gRPC's retryThrottling, and where budgets are. */
#include "chain.h"

#include "gtest_c.h"

/* gRFC A6: a failure takes a token, a success gives tokenRatio back, retries
 * stop where half of maxTokens or less are left. */
EOWN_TEST(SimulatedLimits, Throttle) {
  chain chain;
  lab_limits limits;
  chain_make(&chain, 2, 1, 1);
  chain.model.mode = LAB_MODE_THROTTLE;
  lab_limits_init(&limits, &chain.model, 0);
  lab_limits_reset(&limits);
  for (int left = 9; left > 5; left--)
    CHECK_FALSE(lab_limits_throttle_failure(&limits, 0)); /* 9, 8, 7, 6 */
  CHECK_TRUE(lab_limits_throttle_failure(&limits, 0));    /* 5 */
  for (int i = 0; i < 10; i++)
    CHECK_TRUE(lab_limits_throttle_failure(&limits, 0)); /* 4 ... 0, 0 */
  for (int i = 0; i < 61; i++)
    lab_limits_throttle_success(&limits, 0); /* 6.1 */
  CHECK_FALSE(lab_limits_throttle_failure(&limits, 0) &&
              limits.tokens[0] > 5000); /* 5.1 */
  for (int i = 0; i < 1000; i++)
    lab_limits_throttle_success(&limits, 0);
  CHECK_EQ(10000, limits.tokens[0]);
  lab_limits_clear(&limits);
  chain_clear(&chain);
}

/* A budget only where the caller has eown and the callee can fail. */
EOWN_TEST(SimulatedLimits, BudgetsWhereFailuresCome) {
  chain chain;
  lab_limits limits;
  chain_make(&chain, 6, 3, 1);
  chain.fleet.services[1].eown = false;
  chain.model.mode = LAB_MODE_BUDGET;
  chain.model.budget = 10;
  lab_limits_init(&limits, &chain.model, 0);
  for (uint32_t i = 0; i < 5; i++)
    CHECK_EQ(i == 0 || i == 2,
             limits.budgets[chain.fleet.services[i].first] != NULL);
  lab_limits_clear(&limits);
  chain.model.budget = -1;
  lab_limits_init(&limits, &chain.model, 0);
  CHECK_NULL(limits.budgets);
  lab_limits_clear(&limits);
  chain_clear(&chain);
}
