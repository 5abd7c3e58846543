/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The simulation of a chain loads its services as the explorer says, in every
 * case of up to four services. (Of other trees the two tell different stories:
 * the simulated caller ends its work at the first failure.) */
#include "chain.h"

#include "lab/prove/world.h"

#include "gtest_c.h"

static void check_case(const lab_case *of) {
  lab_world world;
  chain chain;
  uint32_t services = of->tree.services;
  lab_world_play(&world, of, &lab_rules_core);
  chain_make(&chain, services, 0, 0);
  chain.model.requests = 1;
  chain.model.attempts = of->attempts;
  chain.model.retry_by = of->retry_by;
  for (uint32_t i = 0; i < services; i++) {
    lab_fleet_service *service = &chain.fleet.services[i];
    service->fails = lab_set_has(of->failing, i) ? LAB_CERTAIN : 0;
    service->eown = lab_set_has(of->eown, i);
    service->lost = lab_set_has(of->lost, i);
    chain.fleet.edges[service->first].no_retry = !lab_set_has(of->policy, i);
  }
  chain_run(&chain);
  for (uint32_t i = 0; i < services; i++) {
    CHECK_EQ(world.loads[i], chain.counts.services[i].served);
    CHECK_EQ(1, chain.counts.services[i].first);
  }
  chain_clear(&chain);
}

static bool next_subset(uint8_t *subset, unsigned of) {
  *subset = (uint8_t)((*subset - of) & of);
  return *subset != 0;
}

static void check_chains(lab_retry_by by) {
  TEST_TRACE("%s", lab_retry_by_names[by]);
  for (unsigned services = 1; services <= 4; services++) {
    lab_case of = {.attempts = 3, .retry_by = by};
    lab_tree_first(&of.tree, services);
    unsigned all = (1u << services) - 1;
    while (next_subset(&of.failing, all))
      do
        do
          do
            check_case(&of);
          while (next_subset(&of.lost, of.eown & of.tree.callers));
        while (next_subset(&of.eown, all));
      while (next_subset(&of.policy, of.tree.callers));
  }
}

EOWN_TEST(SimulatedExplorer, SameLoads) { check_chains(LAB_RETRY_BY_GRPC); }

EOWN_TEST(SimulatedExplorer, SameLoadsByLoops) {
  check_chains(LAB_RETRY_BY_APPLICATION);
  check_chains(LAB_RETRY_BY_BOTH);
}
