/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/simulate/overload.h"
#include "lab/simulate/path.h"
#include "published.h"

#include <stdio.h>
#include <string.h>

#define REQUESTS 20000

/* A chain, all of it with eown, whose last service always fails. */
static void make_chain(lab_fleet *fleet, uint32_t nodes) {
  lab_fleet_make(fleet, &(lab_shape){.services = nodes,
                                     .depth = nodes,
                                     .callees = 1,
                                     .fan_out = 1});
  fleet->services[nodes - 1].fails = LAB_CERTAIN;
}

static void run(const lab_fleet *fleet, lab_mode mode, double budget,
                uint64_t seed, lab_counts *counts) {
  lab_model model;
  lab_effort effort;
  lab_model_init(&model, fleet);
  model.mode = mode;
  model.budget = budget;
  model.requests = REQUESTS;
  model.seed = seed;
  lab_walk_run(&model, counts, &effort);
}

static double load(const lab_counts *counts, uint32_t service) {
  return (double)counts->services[service].served / (double)counts->requests;
}

static lab_value *add(lab_values *values, const lab_fleet_scenario *self,
                      const char *label, double expected, double simulated) {
  lab_value *value = lab_values_add(values, self->name, expected);
  snprintf(value->label, sizeof(value->label), "%s", label);
  value->simulated = simulated;
  return value;
}

/* Load of the last service of a chain in which its caller loses the context. */
static double load_behind_drop(uint32_t nodes, lab_mode mode, uint64_t seed) {
  lab_fleet fleet;
  lab_counts counts;
  make_chain(&fleet, nodes);
  fleet.services[nodes - 2].lost = true;
  run(&fleet, mode, -1, seed, &counts);
  double result = load(&counts, nodes - 1);
  lab_counts_clear(&counts);
  lab_fleet_clear(&fleet);
  return result;
}

/* Five more hops before A multiply stock's load by 2^5, ownership's not. */
static void run_drop(const lab_fleet_scenario *self, uint64_t seed,
                     lab_values *values) {
  double stock = load_behind_drop(9, LAB_MODE_STOCK, seed) /
                 load_behind_drop(4, LAB_MODE_STOCK, seed);
  double owned = load_behind_drop(9, LAB_MODE_OWNERSHIP, seed) /
                 load_behind_drop(4, LAB_MODE_OWNERSHIP, seed);
  add(values, self, "stock, times", 32, stock);
  add(values, self, "ownership, times", 1, owned);
}

static void add_incident(const lab_fleet_scenario *self, uint32_t hops,
                         double expected, uint64_t seed, lab_values *values) {
  lab_fleet fleet;
  lab_counts budget, owned;
  char label[32];
  make_chain(&fleet, hops + 1);
  run(&fleet, LAB_MODE_BUDGET, 10, seed, &budget);
  run(&fleet, LAB_MODE_OWNERSHIP, 10, seed, &owned);
  snprintf(label, sizeof(label), "budget, %u hops", hops);
  add(values, self, label, expected, (load(&budget, hops) - 1) * 100);
  snprintf(label, sizeof(label), "ownership, %u hops", hops);
  add(values, self, label, 10, (load(&owned, hops) - 1) * 100);
  snprintf(label, sizeof(label), "beyond its callers");
  add(values, self, label, 0, (load(&owned, hops - 1) - 1) * 100);
  lab_counts_clear(&budget);
  lab_counts_clear(&owned);
  lab_fleet_clear(&fleet);
}

/* More load at the failing service, in percent: 1.1^4 - 1 and 1.1^9 - 1. */
static void run_incident(const lab_fleet_scenario *self, uint64_t seed,
                         lab_values *values) {
  add_incident(self, 4, 46.41, seed, values);
  add_incident(self, 9, 135.79, seed, values);
}

static double calls(const lab_fleet *fleet, lab_mode mode, double budget,
                    uint64_t seed) {
  lab_counts counts;
  run(fleet, mode, budget, seed, &counts);
  double result = (double)counts.hops / (double)counts.requests;
  lab_counts_clear(&counts);
  return result;
}

/* The chain of seven: 1 + 2 + 4 + 4 * 8 calls become 1 + 1 + 1 + 4 * 2, and
 * under budgets 1 + 1.1 + 1.21 + 4 * 1.331 become 1 + 1 + 1 + 4 * 1.1. */
static void run_saved(const lab_fleet_scenario *self, uint64_t seed,
                      lab_values *values) {
  lab_fleet fleet;
  make_chain(&fleet, 7);
  fleet.services[6].fails = 0;
  fleet.services[3].fails = LAB_CERTAIN;
  add(values, self, "without budgets", 28,
      calls(&fleet, LAB_MODE_STOCK, -1, seed) -
          calls(&fleet, LAB_MODE_OWNERSHIP, -1, seed));
  lab_value *value = add(values, self, "10 % budgets", 1.234,
                         calls(&fleet, LAB_MODE_BUDGET, 10, seed) -
                             calls(&fleet, LAB_MODE_OWNERSHIP, 10, seed));
  value->tolerance = 0.05;
  lab_fleet_clear(&fleet);
}

/* Deep call paths: 16 to 26 services, a longer one less likely to be seen. The
 * fleet is always the same one, as its shape is what the figure is about: 3 %
 * of the services have no eown, 2 % lose the context, 5 % of the edges no
 * retry. The stock figure takes the same paths as they were published: retries
 * everywhere. */
#define PATHS 66
static void run_radius(const lab_fleet_scenario *self, uint64_t seed,
                       lab_values *values) {
  static const lab_gaps gaps = {
      .no_eown = 0.03, .lost = 0.02, .no_retry = 0.05};
  lab_path_radius most = {0}, sum = {0};
  (void)seed;
  for (uint32_t i = 0; i < PATHS; i++) {
    lab_path path;
    lab_path_make(&path, 16 + i % 11, &gaps, i);
    lab_path_radius radius = lab_path_find_radius(&path, &lab_rules_core);
    lab_path_radius_most(&most, &radius);
    sum.stock += radius.stock;
    sum.ownership += radius.ownership;
  }
  add(values, self, "stock, most", 25, most.stock);
  add(values, self, "stock, mean", 20, (double)sum.stock / PATHS);
  add(values, self, "ownership, most", 3, most.ownership)->at_most = true;
  add(values, self, "ownership, mean", 2, (double)sum.ownership / PATHS)
      ->at_most = true;
}

const lab_fleet_scenario lab_fleet_scenarios[] = {
    {"context drop at C, five more hops before A", run_drop},
    {"the incident under 10 % budgets, more load in %", run_incident},
    {"calls saved for each request, chain of seven", run_saved},
    {"storm radius over deep call paths with gaps", run_radius},
    {"fail-open callees and own errors, unclaimed in %",
     lab_fleet_run_coincidental},
    {"an overloaded service after the trigger, success in %",
     lab_fleet_run_metastable},
};

const size_t lab_fleet_scenario_count =
    sizeof(lab_fleet_scenarios) / sizeof(*lab_fleet_scenarios);
