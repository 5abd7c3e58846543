/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Simulated chains against closed forms. */
#include "chain.h"

#include "gtest_c.h"

#include <math.h>

/* K^d under stock; K at the failing service alone under ownership. */
EOWN_TEST(SimulatedChain, AttemptsToThePowerOfDepth) {
  for (unsigned attempts = 1; attempts <= 5; attempts++)
    for (uint32_t failing = 1; failing < 7; failing++) {
      TEST_TRACE("%u attempts, service %u", attempts, failing);
      chain chain;
      chain_make(&chain, 7, failing, 1);
      chain.model.attempts = attempts;
      chain.model.requests = 100;
      chain.model.mode = LAB_MODE_STOCK;
      chain_run(&chain);
      for (uint32_t i = 0; i < 7; i++)
        CHECK_NEAR(pow(attempts, i < failing ? i : failing),
                   chain_load(&chain, i), 0);
      CHECK_NEAR(1, chain_errors(&chain), 0);
      chain.model.mode = LAB_MODE_OWNERSHIP;
      chain_run(&chain);
      for (uint32_t i = 0; i < 7; i++)
        CHECK_NEAR(i < failing ? 1 : attempts, chain_load(&chain, i), 0);
      chain_clear(&chain);
    }
}

/* 1 + B at each hop, within the one retry a budget holds back. */
EOWN_TEST(SimulatedChain, Budgets) {
  static const double budgets[] = {0, 1, 10, 20, 50, 100};
  for (size_t i = 0; i < sizeof(budgets) / sizeof(*budgets); i++) {
    TEST_TRACE("%g %%", budgets[i]);
    double B = budgets[i] / 100;
    chain chain;
    chain_make(&chain, 7, 3, 1);
    chain.model.mode = LAB_MODE_BUDGET;
    chain.model.budget = budgets[i];
    chain.model.requests = chain.model.chunk = 10000;
    chain_run(&chain);
    for (uint32_t j = 0; j < 7; j++)
      CHECK_NEAR(pow(1 + B, j < 3 ? j : 3), chain_load(&chain, j), 0.005);
    chain.model.mode = LAB_MODE_OWNERSHIP;
    chain_run(&chain);
    for (uint32_t j = 0; j < 7; j++)
      CHECK_NEAR(j < 3 ? 1 : 1 + B, chain_load(&chain, j), 0.001);
    chain_clear(&chain);
  }
}

/* A hop of a retry makes no retry of its own: one more for each hop. */
EOWN_TEST(SimulatedChain, ChainStop) {
  chain chain;
  chain_make(&chain, 7, 6, 1);
  chain.model.mode = LAB_MODE_CHAIN_STOP;
  chain_run(&chain);
  for (uint32_t i = 0; i < 7; i++)
    CHECK_NEAR(i + 1, chain_load(&chain, i), 0);
  CHECK_GT(chain.counts.stopped[EOWN_RETRY_STOP_CHAIN], 0);
  chain_clear(&chain);
}

/* The first failures drain the bucket from 10 to 5, then nothing is retried:
 * at the failing service's caller four retries at most, for each replica. */
EOWN_TEST(SimulatedChain, Throttle) {
  chain chain;
  chain_make(&chain, 2, 1, 1);
  chain.model.mode = LAB_MODE_THROTTLE;
  chain.model.requests = chain.model.chunk = 1000;
  chain_run(&chain);
  CHECK_GE(chain.counts.services[1].served, 1001);
  CHECK_LE(chain.counts.services[1].served, 1004);
  CHECK_EQ(2000, chain.counts.services[1].served + chain.counts.throttled);
  chain_clear(&chain);
}

/* e - min(e, B)(1 - e). A budget within which the errors are is filled by
 * healthy traffic first (published.h says why). */
EOWN_TEST(SimulatedChain, Availability) {
  static const double rates[] = {0.001, 0.01, 0.05, 0.2, 0.3, 0.5, 0.9};
  for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
    TEST_TRACE("%g", rates[i]);
    double e = rates[i], B = 0.1, n = 200000;
    chain chain;
    chain_make(&chain, 2, 1, e);
    chain.model.mode = LAB_MODE_OWNERSHIP;
    chain.model.budget = B * 100;
    chain.model.requests = chain.model.chunk = (uint64_t)n;
    chain.model.rate = n / 5;
    chain.model.healthy = e <= B ? 20000 : 0;
    chain_run(&chain);
    double expected = e - fmin(e, B) * (1 - e);
    CHECK_NEAR(expected, chain_errors(&chain),
               5 * sqrt(fmax(expected, 1e-4) / n) + 2 / n);
    chain_clear(&chain);
  }
}

/* Without budgets each attempt fails by its own dice: e^K. */
EOWN_TEST(SimulatedChain, IndependentFailures) {
  for (unsigned attempts = 1; attempts <= 3; attempts++) {
    chain chain;
    chain_make(&chain, 3, 2, 0.2);
    chain.model.attempts = attempts;
    chain.model.requests = 200000;
    chain_run(&chain);
    double expected = pow(0.2, attempts);
    CHECK_NEAR(expected, chain_errors(&chain), 5 * sqrt(expected / 200000));
    chain_clear(&chain);
  }
}

/* In a spell the retry fails as well: no retry helps. */
EOWN_TEST(SimulatedChain, CorrelatedFailures) {
  chain chain;
  chain_make(&chain, 3, 2, 0.2);
  chain.model.spell_ms = 1; /* as often as there are requests */
  chain.model.requests = 100000;
  chain_run(&chain);
  CHECK_NEAR(0.2, chain_errors(&chain), 0.01);
  CHECK_NEAR(1.2, chain_load(&chain, 2), 0.01);
  chain_clear(&chain);
}

/* The published cases: at least once, context drop, a stock service. */
EOWN_TEST(SimulatedChain, Gaps) {
  static const struct {
    const char *no_retry, *lost, *stock;
    double loads[4];
  } rows[] = {
      {"", "", "", {1, 1, 1, 2}},     {"C", "", "", {1, 1, 2, 2}},
      {"BC", "", "", {1, 2, 2, 2}},   {"ABC", "", "", {1, 1, 1, 1}},
      {"", "C", "", {1, 1, 2, 4}},    {"", "B", "", {1, 2, 2, 4}},
      {"", "BC", "", {1, 2, 4, 8}},   {"", "", "B", {1, 2, 2, 4}},
      {"", "", "D", {1, 1, 1, 2}},    {"", "", "C", {1, 1, 2, 4}},
      {"", "", "ABCD", {1, 2, 4, 8}}, {"C", "B", "", {1, 2, 4, 4}},
      {"B", "", "BC", {1, 2, 2, 4}},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    TEST_TRACE("no retry %s, lost %s, stock %s", rows[i].no_retry, rows[i].lost,
               rows[i].stock);
    chain chain;
    chain_make(&chain, 4, 3, 1);
    for (const char *at = rows[i].no_retry; *at; at++)
      chain.fleet.edges[chain.fleet.services[*at - 'A'].first].no_retry = true;
    for (const char *at = rows[i].lost; *at; at++)
      chain.fleet.services[*at - 'A'].lost = true;
    for (const char *at = rows[i].stock; *at; at++)
      chain.fleet.services[*at - 'A'].eown = false;
    chain_run(&chain);
    for (uint32_t j = 0; j < 4; j++)
      CHECK_NEAR(rows[i].loads[j], chain_load(&chain, j), 0);
    chain_clear(&chain);
  }
}

/* Observe: stock's load, and a stop counted where one would have been. */
EOWN_TEST(SimulatedChain, Observe) {
  chain chain;
  chain_make(&chain, 4, 3, 1);
  chain.model.observe = true;
  chain.model.requests = 1000;
  chain_run(&chain);
  for (uint32_t i = 0; i < 4; i++)
    CHECK_NEAR(pow(2, i), chain_load(&chain, i), 0);
  CHECK_EQ(1000, chain.counts.services[0].stopped);
  CHECK_EQ(2000, chain.counts.services[1].stopped);
  CHECK_EQ(0, chain.counts.services[2].stopped);
  chain_clear(&chain);
}

/* All that failed is waste; a call that succeeded in the end wasted its first
 * attempt. */
EOWN_TEST(SimulatedChain, Waste) {
  chain chain;
  chain_make(&chain, 3, 2, 1);
  chain_run(&chain);
  CHECK_EQ(0, chain.counts.useful);
  CHECK_EQ(2000 * 4, chain.counts.hops);
  chain_clear(&chain);
  chain_make(&chain, 3, 2, 0);
  chain_run(&chain);
  CHECK_EQ(chain.counts.hops, chain.counts.useful);
  chain_clear(&chain);
  chain_make(&chain, 3, 2, 0.3);
  chain_run(&chain);
  CHECK_EQ(3 * (chain.counts.requests - chain.counts.failures),
           chain.counts.useful);
  chain_clear(&chain);
}

/* A fail-open callee's failure is not the caller's. */
EOWN_TEST(SimulatedChain, FailOpen) {
  chain chain;
  chain_make(&chain, 3, 2, 1);
  chain.fleet.edges[chain.fleet.services[1].first].fail_open = true;
  chain_run(&chain);
  CHECK_EQ(0, chain.counts.failures);
  CHECK_NEAR(2, chain_load(&chain, 2), 0);
  chain_clear(&chain);
}
