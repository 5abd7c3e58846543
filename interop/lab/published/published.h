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
  double measured;
  double tolerance; /* how far they may be apart */
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

/* Runs one scenario with real processes and adds its values. */
void lab_scenario_run(const lab_scenario *scenario, const char *binary,
                      uint64_t seed, lab_progress *progress,
                      lab_values *values);

/* Says whether the value is as published. */
bool lab_value_passes(const lab_value *value);

/* Prints the values: a table for each group, or one JSON object. */
void lab_values_print_tables(const lab_values *values);
void lab_values_print_json(const lab_values *values);

#endif /* EOWN_LAB_PUBLISHED_H */
