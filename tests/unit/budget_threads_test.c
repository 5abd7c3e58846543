/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The retry budget under threads, and when memory runs out. */
#include "eown/budget.h"

#include "gtest_c.h"
#include "support.h"

#define START UINT64_C(5000000)

typedef struct shared {
  eown_budget *budget;
  int taken[TEST_THREADS];
} shared;

static void deposit_many(unsigned index, void *user) {
  (void)index;
  shared *self = user;
  for (int i = 0; i < 1000; i++)
    eown_budget_deposit(self->budget, START);
}

static void withdraw_all(unsigned index, void *user) {
  shared *self = user;
  while (self->taken[index] < 100000 &&
         eown_budget_withdraw(self->budget, START))
    self->taken[index]++;
}

/* May let through as many too many as threads ask at one instant. */
EOWN_TEST(BudgetThreads, NothingIsLostAndLittleTooMuchTaken) {
  shared all = {eown_budget_acquire("threads.test", 10, 0, NULL), {0}};
  REQUIRE_NOT_NULL(all.budget);
  test_on_threads(deposit_many, &all);
  test_on_threads(withdraw_all, &all);
  int taken = 0;
  for (int i = 0; i < TEST_THREADS; i++)
    taken += all.taken[i];
  CHECK_GE(taken, 100 * TEST_THREADS);
  CHECK_LE(taken, 100 * TEST_THREADS + TEST_THREADS);
  eown_budget_release(all.budget);
}

static void use_over_time(unsigned index, void *user) {
  shared *self = user;
  test_random random = {31 + index};
  for (int i = 0; i < 2000; i++) {
    uint64_t now = START + (uint64_t)i * 20 + test_random_below(&random, 50);
    eown_budget_deposit(self->budget, now);
    if (eown_budget_would_allow(self->budget, now))
      self->taken[index] += eown_budget_withdraw(self->budget, now);
  }
}

EOWN_TEST(BudgetThreads, MovingTime) {
  shared all = {eown_budget_acquire("moving.test", 10, 0, NULL), {0}};
  REQUIRE_NOT_NULL(all.budget);
  test_on_threads(use_over_time, &all);
  int taken = 0;
  for (int i = 0; i < TEST_THREADS; i++)
    taken += all.taken[i];
  /* 10 % of 16000, and the threads' own in each of the four windows. */
  CHECK_LE(taken, 1600 + 5 * TEST_THREADS);
  eown_budget_release(all.budget);
}

static void acquire_and_release(unsigned index, void *user) {
  static const char *const targets[] = {"a.test", "b.test", "c.test"};
  test_allocator *allocator = user;
  for (unsigned i = 0; i < 300; i++) {
    eown_budget *budget =
        eown_budget_acquire(targets[(index + i) % 3], 10, 0, &allocator->base);
    REQUIRE_NOT_NULL(budget);
    eown_budget_deposit(budget, START);
    eown_budget_release(budget);
  }
}

EOWN_TEST(BudgetThreads, AcquireAndRelease) {
  test_allocator allocator;
  test_allocator_init(&allocator, 0);
  test_on_threads(acquire_and_release, &allocator);
  CHECK_EQ(0, allocator.live);
}

EOWN_TEST(BudgetMemory, EveryAllocationMayFail) {
  test_allocator counting;
  test_allocator_init(&counting, 0);
  eown_budget *budget =
      eown_budget_acquire("memory.test", 10, 0, &counting.base);
  REQUIRE_NOT_NULL(budget);
  CHECK_LT(0, counting.live);
  eown_budget_release(budget);
  CHECK_EQ(0, counting.live);
  for (unsigned long i = 1; i <= counting.allocations; i++) {
    TEST_TRACE("allocation %lu fails", i);
    test_allocator failing;
    test_allocator_init(&failing, i);
    CHECK_NULL(eown_budget_acquire("memory.test", 10, 0, &failing.base));
    CHECK_EQ(0, failing.live);
  }
  /* And after that there still is one to be had. */
  budget = eown_budget_acquire("memory.test", 10, 0, &counting.base);
  CHECK_NOT_NULL(budget);
  eown_budget_release(budget);
  CHECK_EQ(0, counting.live);
}

/* Sharing needs no memory. */
EOWN_TEST(BudgetMemory, FoundWithoutAllocating) {
  eown_budget *budget = eown_budget_acquire("found.test", 10, 0, NULL);
  test_allocator failing;
  test_allocator_init(&failing, 1);
  CHECK_PTR_EQ(budget, eown_budget_acquire("found.test", 10, 0, &failing.base));
  eown_budget_release(budget);
  eown_budget_release(budget);
}
