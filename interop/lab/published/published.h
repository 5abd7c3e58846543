/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PUBLISHED_H
#define EOWN_LAB_PUBLISHED_H

#include "lab/chain/chain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_SCENARIO_NODES 7

/* One value beside the one that was published. */
typedef struct lab_value {
  const char *group; /* the scenario, or what several have in common */
  char label[32];
  double expected;
  double measured;  /* with real processes; NAN: it was not */
  double simulated; /* NAN: it was not */
  double tolerance; /* how far they may be apart from what was published */
  bool at_most;     /* less than what was published is as good */
} lab_value;

/* All values so far, in order. */
typedef struct lab_values {
  lab_value *items;
  size_t count;
} lab_values;

/* What a scenario is to show. */
typedef enum lab_scenario_kind {
  LAB_SCENARIO_SERVED,   /* requests served by each node */
  LAB_SCENARIO_HALVED,   /* the same, and beside the same chain under stock */
  LAB_SCENARIO_OBSERVED, /* the same, and the stops that would have been made */
  LAB_SCENARIO_AVAILABILITY /* errors seen by the caller of the first node */
} lab_scenario_kind;

/* A published scenario. Nodes are written as letters. */
typedef struct lab_scenario {
  const char *name;
  lab_scenario_kind kind;
  size_t nodes;
  char failing;
  double error_rate;
  eown_mode mode;
  double budget; /* percent; 0: none */
  bool no_claims;
  const char *no_retry; /* callers; NULL: none */
  const char *stock;
  const char *drop;
  double served[LAB_SCENARIO_NODES];  /* expected, per root request */
  double stopped[LAB_SCENARIO_NODES]; /* expected, as unclaimed, if observed */
} lab_scenario;

extern const lab_scenario lab_scenarios[];
extern const size_t lab_scenario_count;

/* Adds a value that was neither measured nor simulated yet, with the tolerance
 * of a figure that no dice decide. Valid until the next one is added. */
lab_value *lab_values_add(lab_values *values, const char *group,
                          double expected);

/* Adds what the scenario is to show, to be filled in by the next two. */
void lab_scenario_expect(const lab_scenario *scenario, lab_values *values);

/* Runs the scenario with real processes; `items` are its values. */
void lab_scenario_measure(const lab_scenario *scenario, const char *binary,
                          uint64_t seed, lab_progress *progress,
                          lab_value *items);

/* Simulates the scenario by the same rules. */
void lab_scenario_simulate(const lab_scenario *scenario, uint64_t seed,
                           lab_value *items);

/* What was published of fleets too large for this machine: simulated only. */
typedef struct lab_fleet_scenario {
  const char *name;
  void (*run)(const struct lab_fleet_scenario *self, uint64_t seed,
              lab_values *values);
} lab_fleet_scenario;

void lab_fleet_run_coincidental(const lab_fleet_scenario *self, uint64_t seed,
                                lab_values *values);
void lab_fleet_run_metastable(const lab_fleet_scenario *self, uint64_t seed,
                              lab_values *values);

extern const lab_fleet_scenario lab_fleet_scenarios[];
extern const size_t lab_fleet_scenario_count;

/* How a random scenario is run. The published formula takes for granted that a
 * budget above the error rate never runs out. A budget that is empty at the
 * start does: its balance is a random walk with a reflecting border. So where
 * the error rate is within the budget, healthy traffic comes first and saves
 * up. Where the error rate is above the budget, the budget is always empty and
 * what was saved up would be an artefact: there is no healthy traffic first.
 * (What was saved up lasts for the budget's window, EOWN_BUDGET_WINDOW_MS; a
 * run is shorter than that.) */
#define LAB_SERVED_REQUESTS 1000
#define LAB_RANDOM_REQUESTS 20000
#define LAB_HEALTHY_REQUESTS 2000
uint64_t lab_scenario_healthy(const lab_scenario *scenario);

/* Says whether the set of nodes, written as letters, holds a node. */
bool lab_letters_hold(const char *letters, size_t node);

/* Says whether the value is as published. */
bool lab_value_passes(const lab_value *value);

/* The values as one JSON object; the caller owns it. */
json_t *lab_values_make_json(const lab_values *values);

/* Prints the values: a table for each group, or one JSON object. */
void lab_values_print_tables(const lab_values *values);
void lab_values_print_json(const lab_values *values);

#endif /* EOWN_LAB_PUBLISHED_H */
