/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "simulation.h"

#include "lab/base/failure.h"

#include <stdlib.h>

static void run_mode(const lab_simulation *simulation, lab_run *run) {
  lab_model model = simulation->model;
  model.mode = run->mode;
  model.fleet = &simulation->fleet;
  if (run->mode == LAB_MODE_BUDGET && model.budget < 0)
    model.budget = LAB_BUDGET_DEFAULT;
  if (simulation->overloaded)
    lab_overload_run(&model, &simulation->overload, &run->counts, &run->curve,
                     &run->effort);
  else
    lab_walk_run(&model, &run->counts, &run->effort);
}

void lab_simulation_run(lab_simulation *simulation) {
  for (size_t i = 0; i < simulation->count; i++)
    run_mode(simulation, &simulation->runs[i]);
}

void lab_simulation_clear(lab_simulation *simulation) {
  for (size_t i = 0; i < simulation->count; i++) {
    lab_counts_clear(&simulation->runs[i].counts);
    lab_curve_clear(&simulation->runs[i].curve);
  }
  lab_fleet_clear(&simulation->fleet);
}

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

double lab_run_availability(const lab_run *run) {
  return 1 - share(run->counts.failures, run->counts.requests);
}

double lab_run_wasted(const lab_run *run) {
  return 1 - share(run->counts.useful, run->counts.hops);
}

uint32_t lab_run_worst(const lab_run *run) {
  uint32_t worst = 0;
  for (uint32_t i = 1; i < run->counts.count; i++)
    if (lab_counts_factor(&run->counts, i) >
        lab_counts_factor(&run->counts, worst))
      worst = i;
  return worst;
}

double lab_run_mean_factor(const lab_run *run) {
  double sum = 0;
  uint32_t called = 0;
  for (uint32_t i = 0; i < run->counts.count; i++)
    if (run->counts.services[i].first > 0) {
      sum += lab_counts_factor(&run->counts, i);
      called++;
    }
  return called ? sum / called : 1;
}

double lab_run_speed(const lab_run *run) {
  double seconds = run->effort.cpu_seconds;
  return seconds > 0 ? (double)run->counts.hops / seconds : 0;
}

/* The share of a draw that an edge has: its own place's, and what the aliases
 * of other places give to it. Callees have larger numbers. */
double lab_fleet_hops(const lab_fleet *fleet) {
  double *visits = lab_allocate(fleet->count, sizeof(*visits));
  double hops = 0;
  visits[0] = 1;
  for (uint32_t i = 0; i < fleet->count; i++) {
    const lab_fleet_service *service = &fleet->services[i];
    double calls = service->calls + service->more_calls / 4294967296.0;
    double each = service->edges ? visits[i] * calls / service->edges : 0;
    for (uint32_t j = 0; j < service->edges; j++) {
      const lab_fleet_edge *edge = &fleet->edges[service->first + j];
      double stays = edge->cut / 4294967296.0;
      visits[edge->callee] += each * stays;
      visits[fleet->edges[edge->other].callee] += each * (1 - stays);
    }
    hops += visits[i];
  }
  free(visits);
  return hops;
}
