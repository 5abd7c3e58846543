/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "published.h"

#include <string.h>

bool lab_letters_hold(const char *letters, size_t node) {
  return letters && strchr(letters, (int)('A' + node));
}

uint64_t lab_scenario_healthy(const lab_scenario *scenario) {
  bool within = scenario->error_rate * 100 <= scenario->budget;
  return scenario->kind == LAB_SCENARIO_AVAILABILITY && within
             ? LAB_HEALTHY_REQUESTS
             : 0;
}

static void describe(const lab_scenario *scenario, lab_chain *chain) {
  lab_chain_init(chain);
  chain->nodes = scenario->nodes;
  chain->mode = scenario->mode;
  chain->no_claims = scenario->no_claims;
  chain->requests = scenario->kind == LAB_SCENARIO_AVAILABILITY
                        ? LAB_RANDOM_REQUESTS
                        : LAB_SERVED_REQUESTS;
  chain->healthy = lab_scenario_healthy(scenario);
  if (scenario->budget > 0)
    chain->budget = scenario->budget;
  for (size_t i = 0; i < chain->nodes; i++)
    chain->node[i] = (lab_chain_node){
        .fail_rate =
            scenario->failing == (char)('A' + i) ? scenario->error_rate : 0,
        .no_retry = lab_letters_hold(scenario->no_retry, i),
        .stock = lab_letters_hold(scenario->stock, i),
        .drop = lab_letters_hold(scenario->drop, i),
    };
}

static void measure_stopped(const lab_chain *chain,
                            const lab_chain_result *result, lab_value *items) {
  for (size_t i = 0; i < chain->nodes; i++) {
    uint64_t stopped =
        lab_node_count(&result->graph.nodes[i], "retries_stopped", "unclaimed");
    items[i].measured = (double)stopped / (double)chain->requests;
  }
}

/* C and D beside the same chain without eown. */
static void measure_halved(const lab_chain *chain,
                           const lab_chain_result *result,
                           lab_progress *progress, lab_value *items) {
  lab_chain stock = *chain;
  lab_chain_result other;
  stock.mode = EOWN_MODE_OFF;
  lab_chain_run(&stock, progress, &other);
  for (size_t i = 2; i < chain->nodes; i++)
    items[i - 2].measured =
        lab_chain_ratio(chain, result, i) / lab_chain_ratio(&stock, &other, i);
  lab_graph_clear(&other.graph);
}

void lab_scenario_measure(const lab_scenario *scenario, const char *binary,
                          uint64_t seed, lab_progress *progress,
                          lab_value *items) {
  lab_chain chain;
  lab_chain_result result;
  describe(scenario, &chain);
  chain.binary = binary;
  chain.seed = seed;
  lab_chain_run(&chain, progress, &result);
  if (scenario->kind == LAB_SCENARIO_AVAILABILITY)
    items->measured =
        (double)lab_load_errors(&result.load) / (double)chain.requests * 100;
  else
    for (size_t i = 0; i < chain.nodes; i++)
      items[i].measured = lab_chain_ratio(&chain, &result, i);
  if (scenario->kind == LAB_SCENARIO_OBSERVED)
    measure_stopped(&chain, &result, items + chain.nodes);
  if (scenario->kind == LAB_SCENARIO_HALVED)
    measure_halved(&chain, &result, progress, items + chain.nodes);
  lab_graph_clear(&result.graph);
}
