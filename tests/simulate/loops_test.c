/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Simulated chains whose callers retry by loops of the application. */
#include "chain.h"

#include "gtest_c.h"

#define REQUESTS 1000

/* Loads of a chain of four whose last service fails; those in `stock` have no
 * eown. */
static void run(chain *chain, lab_mode mode, lab_retry_by by, unsigned attempts,
                const char *stock) {
  chain_make(chain, 4, 3, 1);
  chain->model.mode = mode;
  chain->model.retry_by = by;
  chain->model.attempts = attempts;
  chain->model.requests = REQUESTS;
  for (const char *at = stock; *at; at++)
    chain->fleet.services[*at - 'A'].eown = false;
  chain_run(chain);
}

static void check_loads(const chain *chain, const double loads[4]) {
  for (uint32_t i = 0; i < 4; i++)
    CHECK_NEAR(loads[i], chain_load(chain, i), 0);
}

typedef struct row {
  lab_mode mode;
  lab_retry_by by;
  unsigned attempts;
  const char *stock;
  double loads[4];
} row;

static void check_rows(const row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const row *row = &rows[i];
    TEST_TRACE("%s by %s, %u attempts, stock %s", lab_mode_names[row->mode],
               lab_retry_by_names[row->by], row->attempts, row->stock);
    chain chain;
    run(&chain, row->mode, row->by, row->attempts, row->stock);
    check_loads(&chain, row->loads);
    chain_clear(&chain);
  }
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof(*(rows)))

#define OFF LAB_MODE_STOCK
#define ENFORCE LAB_MODE_OWNERSHIP
#define APPLICATION LAB_RETRY_BY_APPLICATION
#define BOTH LAB_RETRY_BY_BOTH

EOWN_TEST(SimulatedLoops, Loads) {
  static const row rows[] = {
      {OFF, APPLICATION, 2, "", {1, 2, 4, 8}},
      {ENFORCE, APPLICATION, 2, "", {1, 1, 1, 2}},
      {OFF, BOTH, 2, "", {1, 4, 16, 64}},
      {ENFORCE, BOTH, 2, "", {1, 1, 1, 2}},
      {OFF, APPLICATION, 3, "", {1, 3, 9, 27}},
      {ENFORCE, APPLICATION, 3, "", {1, 1, 1, 3}},
      {OFF, BOTH, 3, "", {1, 9, 81, 729}},
      {ENFORCE, BOTH, 3, "", {1, 1, 1, 3}},
      {OFF, APPLICATION, 1, "", {1, 1, 1, 1}},
      {ENFORCE, BOTH, 1, "", {1, 1, 1, 1}},
  };
  CHECK_ROWS(rows);
}

/* A loop written by hand goes on where an error is passed on, and hides that.
 * In both, the policy below it heeds the pushback: two calls of one attempt. */
EOWN_TEST(SimulatedLoops, PartialRollOut) {
  static const row rows[] = {
      {ENFORCE, APPLICATION, 2, "A", {1, 2, 2, 4}},
      {ENFORCE, APPLICATION, 2, "B", {1, 2, 4, 8}},
      {ENFORCE, APPLICATION, 2, "C", {1, 1, 2, 4}},
      {ENFORCE, APPLICATION, 2, "D", {1, 1, 1, 2}},
      {ENFORCE, APPLICATION, 2, "AC", {1, 2, 4, 8}},
      {ENFORCE, BOTH, 2, "A", {1, 2, 2, 4}},
      {ENFORCE, BOTH, 2, "B", {1, 2, 4, 8}},
      {ENFORCE, BOTH, 2, "C", {1, 1, 2, 8}},
      {ENFORCE, BOTH, 2, "BC", {1, 2, 8, 32}},
  };
  CHECK_ROWS(rows);
}

EOWN_TEST(SimulatedLoops, Budget) {
  for (int by = 0; by < LAB_RETRY_BY_N; by++) {
    TEST_TRACE("%s", lab_retry_by_names[by]);
    chain chain;
    chain_make(&chain, 4, 3, 1);
    chain.model.retry_by = (lab_retry_by)by;
    chain.model.budget = 10;
    chain.model.requests = chain.model.chunk = 10000;
    chain_run(&chain);
    for (uint32_t i = 0; i < 4; i++)
      CHECK_NEAR(i < 3 ? 1 : 1.1, chain_load(&chain, i), 0.001);
    chain.model.mode = LAB_MODE_BUDGET;
    chain_run(&chain);
    CHECK_NEAR(1.1 * 1.1 * 1.1, chain_load(&chain, 3), 0.005);
    CHECK_GT(chain.counts.stopped[EOWN_RETRY_STOP_BUDGET], 0);
    chain_clear(&chain);
  }
}

/* eown's loop marks its calls and heeds the mark. One written by hand does not
 * mark: what it repeats is a first call to the next service. */
EOWN_TEST(SimulatedLoops, ChainStop) {
  static const row rows[] = {
      {LAB_MODE_CHAIN_STOP, LAB_RETRY_BY_GRPC, 2, "", {1, 2, 3, 4}},
      {LAB_MODE_CHAIN_STOP, APPLICATION, 2, "", {1, 2, 3, 4}},
      {LAB_MODE_CHAIN_STOP, BOTH, 2, "", {1, 2, 3, 4}},
      {LAB_MODE_CHAIN_STOP, LAB_RETRY_BY_GRPC, 2, "A", {1, 2, 3, 4}},
      {LAB_MODE_CHAIN_STOP, APPLICATION, 2, "A", {1, 2, 4, 6}},
  };
  CHECK_ROWS(rows);
}

/* What ownership would stop is counted, and the loop goes on. */
EOWN_TEST(SimulatedLoops, Observe) {
  chain chain;
  chain_make(&chain, 4, 3, 1);
  chain.model.observe = true;
  chain.model.requests = REQUESTS;
  chain.model.retry_by = APPLICATION;
  chain_run(&chain);
  check_loads(&chain, (double[]){1, 2, 4, 8});
  CHECK_EQ(1000, chain.counts.services[0].stopped);
  CHECK_EQ(2000, chain.counts.services[1].stopped);
  CHECK_EQ(0, chain.counts.services[2].stopped);
  chain.model.retry_by = BOTH;
  chain_run(&chain);
  check_loads(&chain, (double[]){1, 4, 16, 64});
  CHECK_EQ(16000, chain.counts.multiplied);
  CHECK_EQ(16000, chain.counts.services[2].stopped);
  chain_clear(&chain);
}

/* Nobody who observes sends a pushback: gRPC's policies go on. */
EOWN_TEST(SimulatedLoops, ObserveStopsNoStockService) {
  chain chain;
  chain_make(&chain, 4, 3, 1);
  chain.model.observe = true;
  chain.fleet.services[0].eown = false;
  chain_run(&chain);
  check_loads(&chain, (double[]){1, 2, 4, 8});
  chain_clear(&chain);
}

/* In force: C's policy has used up its loop's attempts; B and A are stopped
 * twice each, by the rule for the policy and by that for the loop. */
EOWN_TEST(SimulatedLoops, StopsOfBoth) {
  chain chain;
  run(&chain, ENFORCE, BOTH, 2, "");
  CHECK_EQ(1000, chain.counts.multiplied);
  CHECK_EQ(4000, chain.counts.stopped[EOWN_RETRY_STOP_UNCLAIMED]);
  chain_clear(&chain);
}

/* gRPC's buckets stop its own attempts, no loop. */
EOWN_TEST(SimulatedLoops, Throttle) {
  chain chain;
  chain_make(&chain, 2, 1, 1);
  chain.model.mode = LAB_MODE_THROTTLE;
  chain.model.requests = chain.model.chunk = REQUESTS;
  chain.model.retry_by = APPLICATION;
  chain_run(&chain);
  CHECK_EQ(2 * REQUESTS, chain.counts.services[1].served);
  CHECK_EQ(0, chain.counts.throttled);
  chain.model.retry_by = BOTH;
  chain_run(&chain);
  CHECK_GE(chain.counts.services[1].served, 2 * REQUESTS + 1);
  CHECK_LE(chain.counts.services[1].served, 2 * REQUESTS + 4);
  CHECK_EQ(4 * REQUESTS,
           chain.counts.services[1].served + chain.counts.throttled);
  chain_clear(&chain);
}

/* A loop above a policy has attempts squared chances without eown, and stops
 * at a success. */
EOWN_TEST(SimulatedLoops, IndependentFailures) {
  chain chain;
  chain_make(&chain, 2, 1, 0.5);
  chain.model.mode = OFF;
  chain.model.retry_by = BOTH;
  chain.model.requests = 200000;
  chain_run(&chain);
  CHECK_NEAR(1 / 16.0, chain_errors(&chain), 0.003);
  CHECK_NEAR(1 + 0.5 + 0.25 + 0.125, chain_load(&chain, 1), 0.02);
  chain_clear(&chain);
}

static eown_loop forgets_claims(const eown_loop_view *view, bool owns) {
  eown_loop_view other = *view;
  other.claim = EOWN_CLAIM_MISSING;
  other.refused = false;
  return eown_rule_loop(&other, owns);
}

/* The rule is the one of the table, and asked nowhere else. */
EOWN_TEST(SimulatedLoops, BrokenRule) {
  lab_rules rules = lab_rules_core;
  rules.loop = forgets_claims;
  chain chain;
  chain_make(&chain, 4, 3, 1);
  chain.model.rules = &rules;
  chain_run(&chain);
  check_loads(&chain, (double[]){1, 1, 1, 2});
  chain.model.retry_by = APPLICATION;
  chain_run(&chain);
  check_loads(&chain, (double[]){1, 2, 4, 8});
  chain_clear(&chain);
}
