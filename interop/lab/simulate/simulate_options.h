/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_SIMULATE_OPTIONS_H
#define EOWN_LAB_SIMULATE_OPTIONS_H

#include "simulation.h"

#include <argp.h>

#define LAB_FAILING_MAX 64

/* A value that names a service: taken once the fleet is known. */
typedef struct lab_named_value {
  const char *option;
  const char *value; /* SERVICE=NUMBER */
  double min, max;   /* of the number */
} lab_named_value;

/* What the command line of `simulate` says. Texts are borrowed from it. */
typedef struct lab_simulate_options {
  lab_simulation simulation; /* made at the end of the reading */
  lab_shape shape;
  lab_model model;
  lab_gaps gaps;
  lab_overload overload;
  uint32_t depth; /* 0: not said */
  double fail_all;
  double eown_share;
  double correlated_ms; /* 0: independent */
  double throttle_tokens;
  const char *graph;
  const char *root;
  const char *html; /* the page to write; NULL: none */
  bool fleet_chosen;
  bool overload_chosen;
  bool memory;
  bool json;
  lab_named_value failing[LAB_FAILING_MAX];
  size_t failing_count;
  lab_named_value overloaded; /* option NULL: nobody is */
  lab_mode modes[LAB_MODE_N];
  size_t mode_count;
} lab_simulate_options;

/* Reads the command line and makes the fleet; ends the program with status 2
 * where something is bad. `*options` must stay where it is. */
void lab_simulate_options_read(lab_simulate_options *options, int argc,
                               char **argv);

/* Makes the fleet that the options ask for, and finds the services they name;
 * through `state` it refuses what cannot be. */
void lab_simulate_options_finish(lab_simulate_options *options,
                                 struct argp_state *state);

/* Sets what a scenario ("metastable", "timeouts", "incident") is made of. */
extern const char *const lab_simulate_scenarios[];
void lab_simulate_options_set_scenario(lab_simulate_options *options,
                                       size_t scenario);

#endif /* EOWN_LAB_SIMULATE_OPTIONS_H */
