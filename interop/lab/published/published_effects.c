/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/simulate/overload.h"
#include "published.h"
#include "statistics.h"

#include <stdio.h>

#define REQUESTS 200000
#define POINTS 1.0 /* of percentage */

static lab_value *add(lab_values *values, const lab_fleet_scenario *self,
                      const char *label, double expected, double simulated) {
  lab_value *value = lab_values_add(values, self->name, expected);
  snprintf(value->label, sizeof(value->label), "%s", label);
  value->simulated = simulated;
  value->tolerance = POINTS;
  return value;
}

/* A calls B, which calls the fail-open C and D. These three fail at this rate.
 */
enum { A, B, C, D };
static void make_open(lab_fleet *fleet, double rate) {
  lab_fleet_make(
      fleet,
      &(lab_shape){.services = 4, .depth = 3, .callees = 2, .fan_out = 2});
  for (int i = B; i <= D; i++)
    fleet->services[i].fails = lab_chance_of(rate);
  for (uint32_t i = 0; i < fleet->services[B].edges; i++)
    fleet->edges[fleet->services[B].first + i].fail_open = true;
}

/* The share of B's own errors that B's caller may not retry, because C or D
 * failed as well. Failures come in spells that a retry is in, too: all that A
 * retries fails again, and the first attempts that failed are those failures
 * that are no retries. */
static double find_unclaimed(double rate, const lab_memory_model *memory,
                             uint64_t seed) {
  lab_fleet fleet;
  lab_model model;
  lab_counts counts;
  lab_effort effort;
  make_open(&fleet, rate);
  lab_model_init(&model, &fleet);
  model.requests = model.chunk = REQUESTS;
  model.spell_ms = 1;
  model.memory = memory;
  model.seed = seed;
  lab_walk_run(&model, &counts, &effort);
  const lab_service_counts *b = &counts.services[B];
  double share = (double)counts.services[A].stopped /
                 (double)(b->failed - b->retries) * 100;
  lab_counts_clear(&counts);
  lab_fleet_clear(&fleet);
  return share;
}

/* 1 - 0.9^2 = 19 %, 1 - 0.98^2 = 3.96 %; with memory only what was met before
 * it had learned. */
static void add_rate(const lab_fleet_scenario *self, double rate, uint64_t seed,
                     lab_values *values) {
  double expected = 1 - (1 - rate) * (1 - rate);
  char label[32];
  snprintf(label, sizeof(label), "%g %% each", rate * 100);
  add(values, self, label, expected * 100, find_unclaimed(rate, NULL, seed))
      ->tolerance =
      100 *
      lab_rate_tolerance(expected, expected * (1 - expected), REQUESTS * rate);
  snprintf(label, sizeof(label), "%g %%, memory", rate * 100);
  add(values, self, label, 0,
      find_unclaimed(rate, &lab_memory_model_learns, seed));
}

void lab_fleet_run_coincidental(const lab_fleet_scenario *self, uint64_t seed,
                                lab_values *values) {
  add_rate(self, 0.1, seed, values);
  add_rate(self, 0.02, seed, values);
}

#define LAST_SECONDS 10u

/* Requests that succeed in the last seconds, long after the trigger. */
static double find_success(const lab_fleet *fleet, const lab_overload *overload,
                           lab_mode mode, uint64_t seed) {
  lab_model model;
  lab_counts counts;
  lab_curve curve;
  lab_effort effort;
  lab_model_init(&model, fleet);
  model.mode = mode;
  model.rate = 400;
  model.seed = seed;
  lab_overload_run(&model, overload, &counts, &curve, &effort);
  double requests = 0, failures = 0;
  for (uint32_t i = curve.count - LAST_SECONDS; i < curve.count; i++) {
    requests += curve.seconds[i].requests;
    failures += curve.seconds[i].failures;
  }
  lab_counts_clear(&counts);
  lab_curve_clear(&curve);
  return requests > 0 ? (1 - failures / requests) * 100 : 0;
}

/* As `eown-lab simulate --scenario metastable`. */
void lab_fleet_run_metastable(const lab_fleet_scenario *self, uint64_t seed,
                              lab_values *values) {
  lab_fleet fleet;
  lab_overload overload;
  lab_fleet_make(
      &fleet,
      &(lab_shape){.services = 4, .depth = 4, .callees = 1, .fan_out = 1});
  lab_overload_init(&overload, &fleet, D);
  add(values, self, "stock", 0,
      find_success(&fleet, &overload, LAB_MODE_STOCK, seed));
  add(values, self, "ownership", 100,
      find_success(&fleet, &overload, LAB_MODE_OWNERSHIP, seed));
  lab_fleet_clear(&fleet);
}
