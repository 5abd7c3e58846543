/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The retry budget (rule 5). Time is passed in; no test waits. */
#include "eown/budget.h"

#include "gtest_c.h"
#include "support.h"

#include <string.h>

/* An arbitrary start of the clock, far from 0. */
#define START UINT64_C(5000000)

static void deposit(eown_budget *budget, int count, uint64_t now_ms) {
  for (int i = 0; i < count; i++)
    eown_budget_deposit(budget, now_ms);
}

/* Withdraws until the budget is empty, `limit` times at most. */
static int drain(eown_budget *budget, uint64_t now_ms, int limit) {
  int taken = 0;
  while (taken < limit && eown_budget_withdraw(budget, now_ms))
    taken++;
  return taken;
}

EOWN_TEST(Budget, RatioOfFirstAttempts) {
  static const struct {
    double percent;
    int deposits, allowed;
  } rows[] = {
      {10, 1000, 100}, /* 10 % of 1000 */
      {20, 100, 20},   {50, 10, 5},
      {100, 7, 7},     {1000, 3, 30},
      {0.5, 1000, 5},  {10, 9, 0}, /* 0.9: not one yet */
      {10, 10, 1},     {10, 19, 1},
      {29, 100, 29},   /* 0.29 * 100 < 29 in binary */ {10, 0, 0},
      {0, 100000, 0},  {1, 100000, 1000},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_TRACE("%g %% of %d", rows[i].percent, rows[i].deposits);
    eown_budget *budget =
        eown_budget_acquire("ratio.test", rows[i].percent, 0, NULL);
    REQUIRE_NOT_NULL(budget);
    deposit(budget, rows[i].deposits, START);
    CHECK_EQ(rows[i].allowed > 0, eown_budget_would_allow(budget, START));
    CHECK_EQ(rows[i].allowed, drain(budget, START, 1000000));
    CHECK_FALSE(eown_budget_would_allow(budget, START));
    eown_budget_release(budget);
  }
}

EOWN_TEST(Budget, NothingAtAllNeverAllows) {
  eown_budget *budget = eown_budget_acquire("never.test", 0, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  for (uint64_t now = START; now < START + 60000; now += 100) {
    eown_budget_deposit(budget, now);
    CHECK_FALSE(eown_budget_would_allow(budget, now));
    CHECK_FALSE(eown_budget_withdraw(budget, now));
  }
  eown_budget_release(budget);
}

/* 10 a second: over a minute 600, and at most a window's worth at once. */
EOWN_TEST(Budget, FloorForLowTraffic) {
  eown_budget *budget = eown_budget_acquire("floor.test", 0, 10, NULL);
  REQUIRE_NOT_NULL(budget);
  CHECK_TRUE(eown_budget_would_allow(budget, START));
  int at_once = drain(budget, START, 100000);
  CHECK_GE(at_once, 10);
  CHECK_LE(at_once, 10 * (int)EOWN_BUDGET_WINDOW_MS / 1000);
  int taken = at_once;
  for (uint64_t now = START; now < START + 60000; now += 10)
    taken += drain(budget, now, 100000);
  CHECK_GE(taken, 10 * 50);
  CHECK_LE(taken, 10 * 70);
  eown_budget_release(budget);
}

EOWN_TEST(Budget, FloorComesOnTop) {
  eown_budget *alone = eown_budget_acquire("top.test", 0, 10, NULL);
  eown_budget *both = eown_budget_acquire("top.test", 10, 10, NULL);
  REQUIRE_NOT_NULL(alone);
  REQUIRE_NOT_NULL(both);
  CHECK_PTR_NE(alone, both);
  deposit(alone, 1000, START);
  deposit(both, 1000, START);
  int floor = drain(alone, START, 100000);
  CHECK_EQ(floor + 100, drain(both, START, 100000));
  eown_budget_release(both);
  eown_budget_release(alone);
}

EOWN_TEST(Budget, WouldAllowChangesNothing) {
  eown_budget *budget = eown_budget_acquire("would.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  deposit(budget, 30, START);
  for (int i = 0; i < 1000; i++)
    CHECK_TRUE(eown_budget_would_allow(budget, START));
  CHECK_EQ(3, drain(budget, START, 1000));
  for (int i = 0; i < 1000; i++)
    CHECK_FALSE(eown_budget_would_allow(budget, START));
  /* A refused withdrawal takes nothing: ten more deposits are one retry. */
  for (int i = 0; i < 1000; i++)
    CHECK_FALSE(eown_budget_withdraw(budget, START));
  deposit(budget, 10, START);
  CHECK_EQ(1, drain(budget, START, 1000));
  eown_budget_release(budget);
}

EOWN_TEST(Budget, DepositsExpireWithTheWindow) {
  eown_budget *budget = eown_budget_acquire("expiry.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  deposit(budget, 1000, START);
  CHECK_TRUE(
      eown_budget_would_allow(budget, START + EOWN_BUDGET_WINDOW_MS / 2));
  CHECK_FALSE(
      eown_budget_would_allow(budget, START + 2 * EOWN_BUDGET_WINDOW_MS));
  CHECK_FALSE(eown_budget_withdraw(budget, START + 2 * EOWN_BUDGET_WINDOW_MS));
  CHECK_FALSE(eown_budget_withdraw(budget, START + 1000000000));
  eown_budget_release(budget);
}

EOWN_TEST(Budget, WithdrawalsExpireWithTheWindow) {
  eown_budget *budget = eown_budget_acquire("again.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  uint64_t now = START;
  for (int round = 0; round < 5; round++) {
    TEST_TRACE("round %d", round);
    deposit(budget, 1000, now);
    CHECK_EQ(100, drain(budget, now, 10000));
    now += 2 * EOWN_BUDGET_WINDOW_MS + 1;
  }
  eown_budget_release(budget);
}

/* Whatever the traffic, retries in any stretch of the window stay within the
 * percentage of the deposits around it (a quarter of the window is left to the
 * implementation's buckets), and an even load gets nearly all that is due. */
EOWN_TEST(Budget, SlidesOverRandomTraffic) {
  enum { STEPS = 2000, STEP_MS = 50 };
  static int in[STEPS], out[STEPS];
  test_random random = {21};
  eown_budget *budget = eown_budget_acquire("slide.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  for (int i = 0; i < STEPS; i++) {
    uint64_t now = START + (uint64_t)i * STEP_MS;
    bool burst = test_random_below(&random, 100) < 2;
    in[i] = burst ? 500 : (int)test_random_below(&random, 20);
    deposit(budget, in[i], now);
    out[i] = drain(budget, now, (int)test_random_below(&random, 30));
  }
  const int wide = (int)EOWN_BUDGET_WINDOW_MS * 5 / 4 / STEP_MS;
  const int narrow = (int)EOWN_BUDGET_WINDOW_MS * 3 / 4 / STEP_MS;
  for (int end = 0; end < STEPS; end++) {
    int deposits = 0, retries = 0;
    for (int i = end; i >= 0 && i > end - wide; i--)
      deposits += in[i];
    for (int i = end; i >= 0 && i > end - narrow; i--)
      retries += out[i];
    TEST_TRACE("step %d: %d retries, %d deposits", end, retries, deposits);
    REQUIRE_LE(10 * retries, deposits);
  }
  eown_budget_release(budget);
}

EOWN_TEST(Budget, EvenLoadGetsItsShare) {
  eown_budget *budget = eown_budget_acquire("even.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  int taken = 0;
  for (uint64_t now = START; now < START + 100000; now += 10) {
    eown_budget_deposit(budget, now);
    taken += eown_budget_withdraw(budget, now);
  }
  CHECK_LE(taken, 1000); /* 10 % of 10000 */
  CHECK_GE(taken, 800);
  eown_budget_release(budget);
}

EOWN_TEST(Budget, SharedByTargetAndFigures) {
  eown_budget *one = eown_budget_acquire("shared.test", 10, 0, NULL);
  char copy[] = "shared.test";
  eown_budget *same = eown_budget_acquire(copy, 10, 0, NULL);
  REQUIRE_NOT_NULL(one);
  CHECK_PTR_EQ(one, same);
  memset(copy, 'x', sizeof copy);
  deposit(one, 50, START);
  CHECK_EQ(5, drain(same, START, 1000));
  CHECK_FALSE(eown_budget_withdraw(one, START));
  eown_budget_release(same);
  /* Still there for the other. */
  deposit(one, 10, START);
  CHECK_EQ(1, drain(one, START, 1000));
  eown_budget_release(one);
}

EOWN_TEST(Budget, OthersAreApart) {
  eown_budget *all[] = {eown_budget_acquire("apart.test", 10, 0, NULL),
                        eown_budget_acquire("apart.test:1", 10, 0, NULL),
                        eown_budget_acquire("apart.tes", 10, 0, NULL),
                        eown_budget_acquire("APART.test", 10, 0, NULL),
                        eown_budget_acquire("apart.test", 11, 0, NULL)};
  for (int i = 0; i < 5; i++) {
    REQUIRE_NOT_NULL(all[i]);
    for (int j = 0; j < i; j++)
      CHECK_PTR_NE(all[i], all[j]);
  }
  deposit(all[0], 1000, START);
  for (int i = 1; i < 5; i++)
    CHECK_FALSE(eown_budget_would_allow(all[i], START));
  for (int i = 0; i < 5; i++)
    eown_budget_release(all[i]);
}

EOWN_TEST(Budget, StartsAfreshAfterTheLastRelease) {
  eown_budget *budget = eown_budget_acquire("fresh.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  deposit(budget, 1000, START);
  eown_budget_release(budget);
  budget = eown_budget_acquire("fresh.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  CHECK_FALSE(eown_budget_would_allow(budget, START));
  eown_budget_release(budget);
  eown_budget_release(NULL);
}

EOWN_TEST(Budget, TimeGoingBackwards) {
  eown_budget *budget = eown_budget_acquire("back.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  deposit(budget, 1000, START);
  static const int64_t offsets[] = {0,      -1, -5000, 100,  -100000,
                                    -20000, 0,  1,     -999, -3000000};
  int taken = 0;
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
    taken += drain(budget, START + (uint64_t)offsets[i], 10000);
  CHECK_LE(taken, 100);
  /* Back in order, it works as ever. */
  deposit(budget, 1000, START + 100000);
  CHECK_EQ(100, drain(budget, START + 100000, 10000));
  eown_budget_release(budget);
}

EOWN_TEST(Budget, EndsOfTheClock) {
  eown_budget *budget = eown_budget_acquire("ends.test", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  deposit(budget, 10, 0);
  CHECK_EQ(1, drain(budget, 0, 100));
  deposit(budget, 10, UINT64_MAX);
  CHECK_LE(drain(budget, UINT64_MAX, 100), 1);
  eown_budget_release(budget);
}

/* Retries that are calls of their own are deposited like any call, and still
 * are retries alone: 10 % of 20 first attempts. */
EOWN_TEST(Budget, RetriesThatAreCallsAreNoFirstAttempts) {
  eown_budget *budget = eown_budget_acquire("calls", 10, 0, NULL);
  REQUIRE_NOT_NULL(budget);
  unsigned retries = 0;
  for (unsigned i = 0; i < 20; i++) {
    eown_budget_deposit(budget, 1000 + i);
    while (eown_budget_withdraw_call(budget, 1000 + i)) {
      retries++;
      eown_budget_deposit(budget, 1000 + i);
    }
  }
  CHECK_EQ(2u, retries);
  eown_budget_release(budget);
}
