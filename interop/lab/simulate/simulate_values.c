/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "simulate_values.h"

#include "lab/base/option.h"

#include <stdio.h>
#include <string.h>

static void *place(const lab_simulate_row *row, lab_simulate_options *options) {
  return (char *)options + row->offset;
}

void lab_simulate_take_flag(const lab_simulate_row *row,
                            lab_simulate_options *options,
                            struct argp_state *state, const char *option,
                            char *value) {
  (void)state;
  (void)option;
  (void)value;
  *(bool *)place(row, options) = true;
}

void lab_simulate_take_text(const lab_simulate_row *row,
                            lab_simulate_options *options,
                            struct argp_state *state, const char *option,
                            char *value) {
  if (!*value)
    lab_option_refuse(state, option, value, "a %s", row->value);
  *(const char **)place(row, options) = value;
}

void lab_simulate_take_count(const lab_simulate_row *row,
                             lab_simulate_options *options,
                             struct argp_state *state, const char *option,
                             char *value) {
  *(uint64_t *)place(row, options) = lab_option_integer(
      state, option, value, (uint64_t)row->min, (uint64_t)row->max);
}

void lab_simulate_take_small(const lab_simulate_row *row,
                             lab_simulate_options *options,
                             struct argp_state *state, const char *option,
                             char *value) {
  *(uint32_t *)place(row, options) = (uint32_t)lab_option_integer(
      state, option, value, (uint64_t)row->min, (uint64_t)row->max);
}

void lab_simulate_take_number(const lab_simulate_row *row,
                              lab_simulate_options *options,
                              struct argp_state *state, const char *option,
                              char *value) {
  *(double *)place(row, options) =
      value ? lab_option_number(state, option, value, row->min, row->max)
            : row->min;
}

void lab_simulate_take_percent(const lab_simulate_row *row,
                               lab_simulate_options *options,
                               struct argp_state *state, const char *option,
                               char *value) {
  *(double *)place(row, options) =
      lab_option_number(state, option, value, 0, 100) / 100;
}

void lab_simulate_take_switch(const lab_simulate_row *row,
                              lab_simulate_options *options,
                              struct argp_state *state, const char *option,
                              char *value) {
  static const char *const words[] = {"off", "on", NULL};
  *(bool *)place(row, options) =
      lab_option_word(state, option, value, words) == 1;
}

void lab_simulate_take_retry_by(const lab_simulate_row *row,
                                lab_simulate_options *options,
                                struct argp_state *state, const char *option,
                                char *value) {
  *(lab_retry_by *)place(row, options) =
      (lab_retry_by)lab_option_word(state, option, value, lab_retry_by_names);
}

void lab_simulate_take_failing(const lab_simulate_row *row,
                               lab_simulate_options *options,
                               struct argp_state *state, const char *option,
                               char *value) {
  if (options->failing_count == LAB_FAILING_MAX)
    lab_option_refuse(state, option, value, "at most %d of these",
                      LAB_FAILING_MAX);
  options->failing[options->failing_count++] =
      (lab_named_value){"--fail", value, row->min, row->max};
}

void lab_simulate_take_overloaded(const lab_simulate_row *row,
                                  lab_simulate_options *options,
                                  struct argp_state *state, const char *option,
                                  char *value) {
  (void)state;
  (void)option;
  options->overloaded =
      (lab_named_value){"--overload", value, row->min, row->max};
}

void lab_simulate_take_modes(const lab_simulate_row *row,
                             lab_simulate_options *options,
                             struct argp_state *state, const char *option,
                             char *value) {
  (void)row;
  options->mode_count = 0;
  for (char *word = value, *next; word; word = next) {
    next = strchr(word, ',');
    if (next)
      *next++ = '\0';
    size_t mode = lab_option_word(state, option, word, lab_mode_names);
    for (size_t i = 0; i < options->mode_count; i++)
      if (options->modes[i] == (lab_mode)mode)
        lab_option_refuse(state, option, word, "each mode once");
    options->modes[options->mode_count++] = (lab_mode)mode;
  }
}

void lab_simulate_take_scenario(const lab_simulate_row *row,
                                lab_simulate_options *options,
                                struct argp_state *state, const char *option,
                                char *value) {
  (void)row;
  lab_simulate_options_set_scenario(
      options, lab_option_word(state, option, value, lab_simulate_scenarios));
}

void lab_simulate_take_trigger(const lab_simulate_row *row,
                               lab_simulate_options *options,
                               struct argp_state *state, const char *option,
                               char *value) {
  double start = -1, length = -1, factor = -1;
  char rest = 0;
  int read = sscanf(value, "%lf,%lf,%lf%c", &start, &length, &factor, &rest);
  bool good = read == 3 && start >= 0 && start <= row->max && length >= 0 &&
              length <= row->max && factor > 0 && factor <= 1;
  if (!good)
    lab_option_refuse(state, option, value,
                      "START,LENGTH,FACTOR: seconds from 0 to %g, and a factor "
                      "above 0 and at most 1",
                      row->max);
  options->overload.trigger_start = start;
  options->overload.trigger_seconds = length;
  options->overload.trigger_factor = factor;
}
