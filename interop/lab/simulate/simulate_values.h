/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_SIMULATE_VALUES_H
#define EOWN_LAB_SIMULATE_VALUES_H

#include "simulate_options.h"

typedef struct lab_simulate_row lab_simulate_row;

/* Takes the value of an option ("--seed"); ends the program through argp where
 * it is not of its form. `value` is NULL for flags. */
typedef void lab_simulate_take(const lab_simulate_row *row,
                               lab_simulate_options *options,
                               struct argp_state *state, const char *option,
                               char *value);

/* One option: its text in --help, where its value goes and what it may be. */
struct lab_simulate_row {
  const char *name;
  const char *value; /* NULL: a flag */
  const char *text;
  int group;
  lab_simulate_take *take;
  size_t offset; /* in lab_simulate_options */
  double min, max;
  bool may_stand; /* without its value: then it is `min` */
};

lab_simulate_take lab_simulate_take_flag;
lab_simulate_take lab_simulate_take_text;
lab_simulate_take lab_simulate_take_count;
lab_simulate_take lab_simulate_take_small;
lab_simulate_take lab_simulate_take_number;
lab_simulate_take lab_simulate_take_percent;
lab_simulate_take lab_simulate_take_switch;
lab_simulate_take lab_simulate_take_retry_by;
lab_simulate_take lab_simulate_take_failing;
lab_simulate_take lab_simulate_take_overloaded;
lab_simulate_take lab_simulate_take_modes;
lab_simulate_take lab_simulate_take_scenario;
lab_simulate_take lab_simulate_take_trigger;

#endif /* EOWN_LAB_SIMULATE_VALUES_H */
