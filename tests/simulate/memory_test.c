/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Own errors of a service whose fail-open callees fail at the same time. */
#include "chain.h"

#include "gtest_c.h"

#define REQUESTS 100000

/* A calls B, which calls C and D, both fail-open; B, C and D fail at `rate`,
 * their retries too. Returns the share of B's own errors that A did not retry.
 */
static double unclaimed(double rate, const lab_memory_model *memory) {
  chain chain = {0};
  lab_fleet_make(&chain.fleet, &(lab_shape){4, 3, 2, 2, 1});
  for (uint32_t i = 1; i < 4; i++)
    chain.fleet.services[i].fails = lab_chance_of(rate);
  for (uint32_t i = 0; i < 2; i++)
    chain.fleet.edges[chain.fleet.services[1].first + i].fail_open = true;
  lab_model_init(&chain.model, &chain.fleet);
  chain.model.spell_ms = 1;
  chain.model.requests = chain.model.chunk = REQUESTS;
  chain.model.memory = memory;
  chain_run(&chain);
  const lab_service_counts *b = &chain.counts.services[1];
  CHECK_NEAR(rate, (double)(b->failed - b->retries) / REQUESTS, 0.01);
  double share = (double)chain.counts.services[0].stopped /
                 (double)(b->failed - b->retries);
  chain_clear(&chain);
  return share;
}

EOWN_TEST(SimulatedMemory, Coincidental) {
  CHECK_NEAR(0.19, unclaimed(0.1, NULL), 0.02);
  CHECK_NEAR(0.0396, unclaimed(0.02, NULL), 0.02);
}

EOWN_TEST(SimulatedMemory, KnownEdges) {
  CHECK_NEAR(0, unclaimed(0.1, &lab_memory_model_known), 0);
}

/* Only what it took to learn. */
EOWN_TEST(SimulatedMemory, LearnedEdges) {
  CHECK_NEAR(0, unclaimed(0.1, &lab_memory_model_learns), 0.01);
}

/* A fail-close callee is not taken for fail-open: its storm stays stopped. */
EOWN_TEST(SimulatedMemory, FailCloseStaysUnclaimed) {
  chain chain;
  chain_make(&chain, 4, 3, 0.5);
  chain.model.memory = &lab_memory_model_learns;
  chain.model.requests = 20000;
  chain_run(&chain);
  for (uint32_t i = 1; i < 3; i++)
    CHECK_NEAR(1, chain_load(&chain, i), 0);
  chain_clear(&chain);
}
