/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/simulate/walk.h"
#include "published.h"

/* All of a run within the budget's window, as with real processes. */
#define REQUESTS_PER_SECOND 4000

static void make_chain(const lab_scenario *scenario, lab_fleet *fleet) {
  uint32_t nodes = (uint32_t)scenario->nodes;
  lab_fleet_make(fleet, &(lab_shape){.services = nodes,
                                     .depth = nodes,
                                     .callees = 1,
                                     .fan_out = 1});
  for (uint32_t i = 0; i < nodes; i++) {
    lab_fleet_service *service = &fleet->services[i];
    if (scenario->failing == (char)('A' + i))
      service->fails = lab_chance_of(scenario->error_rate);
    service->eown = !lab_letters_hold(scenario->stock, i);
    service->lost = lab_letters_hold(scenario->drop, i);
    if (service->edges > 0)
      fleet->edges[service->first].no_retry =
          lab_letters_hold(scenario->no_retry, i);
  }
}

static lab_mode mode_of(const lab_scenario *scenario) {
  if (scenario->mode == EOWN_MODE_OFF)
    return LAB_MODE_STOCK;
  return scenario->no_claims ? LAB_MODE_BUDGET : LAB_MODE_OWNERSHIP;
}

static void describe(const lab_scenario *scenario, const lab_fleet *fleet,
                     uint64_t seed, lab_model *model) {
  bool random = scenario->kind == LAB_SCENARIO_AVAILABILITY;
  lab_model_init(model, fleet);
  model->mode = mode_of(scenario);
  model->observe = scenario->mode == EOWN_MODE_OBSERVE;
  model->budget = scenario->budget > 0 ? scenario->budget : -1;
  model->rate = REQUESTS_PER_SECOND;
  model->requests = random ? LAB_RANDOM_REQUESTS : LAB_SERVED_REQUESTS;
  model->healthy = lab_scenario_healthy(scenario);
  model->chunk = model->requests;
  model->seed = seed;
}

static double ratio(const lab_counts *counts, size_t node) {
  return (double)counts->services[node].served / (double)counts->requests;
}

static void simulate_halved(const lab_model *model, const lab_counts *counts,
                            lab_value *items) {
  lab_model stock = *model;
  lab_counts other;
  lab_effort effort;
  stock.mode = LAB_MODE_STOCK;
  lab_walk_run(&stock, &other, &effort);
  for (uint32_t i = 2; i < counts->count; i++)
    items[i - 2].simulated = ratio(counts, i) / ratio(&other, i);
  lab_counts_clear(&other);
}

static void fill(const lab_scenario *scenario, const lab_model *model,
                 const lab_counts *counts, lab_value *items) {
  double requests = (double)counts->requests;
  if (scenario->kind == LAB_SCENARIO_AVAILABILITY) {
    items->simulated = (double)counts->failures / requests * 100;
    return;
  }
  for (size_t i = 0; i < scenario->nodes; i++)
    items[i].simulated = ratio(counts, i);
  items += scenario->nodes;
  if (scenario->kind == LAB_SCENARIO_OBSERVED)
    for (size_t i = 0; i < scenario->nodes; i++)
      items[i].simulated = (double)counts->services[i].stopped / requests;
  if (scenario->kind == LAB_SCENARIO_HALVED)
    simulate_halved(model, counts, items);
}

void lab_scenario_simulate(const lab_scenario *scenario, uint64_t seed,
                           lab_value *items) {
  lab_fleet fleet;
  lab_model model;
  lab_counts counts;
  lab_effort effort;
  make_chain(scenario, &fleet);
  describe(scenario, &fleet, seed, &model);
  lab_walk_run(&model, &counts, &effort);
  fill(scenario, &model, &counts, items);
  lab_counts_clear(&counts);
  lab_fleet_clear(&fleet);
}
