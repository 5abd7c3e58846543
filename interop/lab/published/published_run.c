/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "published.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERVED_REQUESTS 1000
#define RANDOM_REQUESTS 20000
#define HEALTHY_REQUESTS 2000
#define FIXED_TOLERANCE 0.02 /* of the expected value */

static lab_value *add_value(lab_values *values, const lab_scenario *scenario,
                            double expected, double measured) {
  lab_value *items =
      realloc(values->items, (values->count + 1) * sizeof(*items));
  if (!items)
    lab_fail("out of memory");
  values->items = items;
  lab_value *value = &items[values->count++];
  *value = (lab_value){.group = scenario->name,
                       .expected = expected,
                       .measured = measured,
                       .tolerance = FIXED_TOLERANCE * expected};
  return value;
}

static bool holds(const char *letters, size_t node) {
  return letters && strchr(letters, (int)('A' + node));
}

static void describe(const lab_scenario *scenario, lab_chain *chain) {
  lab_chain_init(chain);
  chain->nodes = scenario->nodes;
  chain->mode = scenario->mode;
  chain->no_claims = scenario->no_claims;
  chain->requests = SERVED_REQUESTS;
  if (scenario->budget > 0)
    chain->budget = scenario->budget;
  for (size_t i = 0; i < chain->nodes; i++)
    chain->node[i] = (lab_chain_node){
        .fail_rate =
            scenario->failing == (char)('A' + i) ? scenario->error_rate : 0,
        .no_retry = holds(scenario->no_retry, i),
        .stock = holds(scenario->stock, i),
        .drop = holds(scenario->drop, i),
    };
}

/* The published formula takes for granted that a budget above the error rate
 * never runs out. A budget that is empty at the start does: its balance is a
 * random walk with a reflecting border. So where the error rate is within the
 * budget, healthy traffic comes first and saves up. Where the error rate is
 * above the budget, the budget is always empty and what was saved up would be
 * an artefact: there is no healthy traffic first. (What was saved up lasts for
 * the budget's window, EOWN_BUDGET_WINDOW_MS; a run is shorter than that.) */
static void describe_random(const lab_scenario *scenario, lab_chain *chain) {
  chain->requests = RANDOM_REQUESTS;
  if (scenario->error_rate * 100 <= scenario->budget)
    chain->healthy = HEALTHY_REQUESTS;
}

static void add_served(const lab_scenario *scenario, const lab_chain *chain,
                       const lab_chain_result *result, lab_values *values) {
  for (size_t i = 0; i < chain->nodes; i++) {
    lab_value *value = add_value(values, scenario, scenario->served[i],
                                 lab_chain_ratio(chain, result, i));
    snprintf(value->label, sizeof(value->label), "%c", (int)('A' + i));
  }
}

static void add_stopped(const lab_scenario *scenario, const lab_chain *chain,
                        const lab_chain_result *result, lab_values *values) {
  for (size_t i = 0; i < chain->nodes; i++) {
    uint64_t stopped =
        lab_node_count(&result->graph.nodes[i], "retries_stopped", "unclaimed");
    lab_value *value = add_value(values, scenario, scenario->stopped[i],
                                 (double)stopped / (double)chain->requests);
    snprintf(value->label, sizeof(value->label), "stops at %c", (int)('A' + i));
  }
}

/* C and D beside the same chain without eown. */
static void add_halved(const lab_scenario *scenario, const lab_chain *chain,
                       const lab_chain_result *result, lab_progress *progress,
                       lab_values *values) {
  lab_chain stock = *chain;
  lab_chain_result other;
  stock.mode = EOWN_MODE_OFF;
  lab_chain_run(&stock, progress, &other);
  for (size_t i = 2; i < chain->nodes; i++) {
    double ratio =
        lab_chain_ratio(chain, result, i) / lab_chain_ratio(&stock, &other, i);
    lab_value *value = add_value(values, scenario, 0.5, ratio);
    snprintf(value->label, sizeof(value->label), "%c / stock %c",
             (int)('A' + i), (int)('A' + i));
  }
  lab_graph_clear(&other.graph);
}

/* With e the error rate and B the budget, both as shares, the caller sees
 * e - min(e, B)(1 - e). One request's variance: within the budget each error is
 * the failure of two independent tries, e^2. Above it, the failed first tries
 * vary by e(1 - e), and so does each of the B retries. */
static void add_errors(const lab_scenario *scenario, const lab_chain *chain,
                       const lab_chain_result *result, lab_values *values) {
  double e = scenario->error_rate, B = scenario->budget / 100;
  double n = (double)chain->requests;
  double expected = e - fmin(e, B) * (1 - e);
  double variance = e <= B ? expected * (1 - expected) : e * (1 - e) * (1 + B);
  double measured = (double)lab_load_errors(&result->load) / n;
  lab_value *value =
      add_value(values, scenario, expected * 100, measured * 100);
  value->tolerance = lab_rate_tolerance(expected, variance, n) * 100;
  snprintf(value->label, sizeof(value->label), "at %g %%", e * 100);
}

void lab_scenario_run(const lab_scenario *scenario, const char *binary,
                      uint64_t seed, lab_progress *progress,
                      lab_values *values) {
  lab_chain chain;
  lab_chain_result result;
  describe(scenario, &chain);
  chain.binary = binary;
  chain.seed = seed;
  if (scenario->kind == LAB_SCENARIO_AVAILABILITY)
    describe_random(scenario, &chain);
  lab_chain_run(&chain, progress, &result);
  if (scenario->kind == LAB_SCENARIO_AVAILABILITY)
    add_errors(scenario, &chain, &result, values);
  else
    add_served(scenario, &chain, &result, values);
  if (scenario->kind == LAB_SCENARIO_OBSERVED)
    add_stopped(scenario, &chain, &result, values);
  if (scenario->kind == LAB_SCENARIO_HALVED)
    add_halved(scenario, &chain, &result, progress, values);
  lab_graph_clear(&result.graph);
}

bool lab_value_passes(const lab_value *value) {
  return fabs(value->measured - value->expected) <= value->tolerance + 1e-9;
}
