/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_SIMULATION_H
#define EOWN_LAB_SIMULATION_H

#include "overload.h"

#include <jansson.h>

/* What one mode brought. */
typedef struct lab_run {
  lab_mode mode;
  lab_counts counts;
  lab_effort effort;
  lab_curve curve; /* count 0: load had no effect */
} lab_run;

/* A fleet, and the same load on it under one mode after the other. A plain
 * value, for whoever shows it. */
typedef struct lab_simulation {
  lab_fleet fleet;
  uint32_t broken;  /* edges left out because they close cycles */
  uint32_t failing; /* the service that is looked at */
  lab_model model;  /* but for the mode and, in mode budget, the budget */
  bool overloaded;
  lab_overload overload;
  lab_run runs[LAB_MODE_N];
  size_t count;
} lab_simulation;

/* What mode budget allows where nothing is said, in percent. */
#define LAB_BUDGET_DEFAULT 10.0

/* Runs the modes of `runs`. */
void lab_simulation_run(lab_simulation *simulation);

void lab_simulation_clear(lab_simulation *simulation);

/* Shares, from 0 to 1: root requests that succeed; calls that no successful
 * request is made of. */
double lab_run_availability(const lab_run *run);
double lab_run_wasted(const lab_run *run);

/* The service with the highest load factor, and the mean over those called. */
uint32_t lab_run_worst(const lab_run *run);
double lab_run_mean_factor(const lab_run *run);

/* Calls a second on one core. */
double lab_run_speed(const lab_run *run);

/* Calls a root request makes where nothing fails. */
double lab_fleet_hops(const lab_fleet *fleet);
#define LAB_FLEET_HOPS_MAX 1e6

/* The result as one JSON object; the caller owns it. */
json_t *lab_simulation_make_json(const lab_simulation *simulation);

/* Prints tables, or one JSON object. */
void lab_simulation_print(const lab_simulation *simulation);
void lab_simulation_print_json(const lab_simulation *simulation);

/* Prints the curves of overloaded runs. */
void lab_curves_print(const lab_simulation *simulation);

#endif /* EOWN_LAB_SIMULATION_H */
