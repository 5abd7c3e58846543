/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fleet_graph.h"
#include "simulate_options.h"

#include "lab/base/failure.h"
#include "lab/base/option.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_DEFAULT 7u

const char *const lab_simulate_scenarios[] = {"metastable", "timeouts",
                                              "incident", NULL};

static void set_modes(lab_simulate_options *options) {
  for (int i = 0; i < LAB_MODE_N; i++)
    options->modes[i] = (lab_mode)i;
  options->mode_count = LAB_MODE_N;
}

/* Four services, the last one with room for 2.5 times its load: it bears
 * ownership's two attempts, but not stock's eight. */
static void set_metastable(lab_simulate_options *options) {
  options->shape.services = options->depth = 4;
  options->model.rate = 400;
  options->overloaded = (lab_named_value){"--overload", "D=1000", 0.1, 1e6};
  set_modes(options);
}

void lab_simulate_options_set_scenario(lab_simulate_options *options,
                                       size_t scenario) {
  if (scenario < 2)
    set_metastable(options);
  if (scenario == 1)
    options->overload.timeout_ms = 300;
  if (scenario == 2) {
    options->shape.services = options->depth = 10;
    set_modes(options);
  }
}

static void make_fleet(lab_simulate_options *options,
                       struct argp_state *state) {
  lab_simulation *simulation = &options->simulation;
  lab_shape *shape = &options->shape;
  if (options->graph) {
    lab_fleet_read(&simulation->fleet, options->graph, options->root,
                   &simulation->broken);
    return;
  }
  if (options->root)
    lab_option_refuse(state, "--root", options->root,
                      "it only with a fleet of --graph");
  shape->depth = options->depth                    ? options->depth
                 : shape->services < DEPTH_DEFAULT ? shape->services
                                                   : DEPTH_DEFAULT;
  if (shape->depth > shape->services ||
      (shape->depth == 1 && shape->services > 1))
    argp_error(
        state, "--depth: '%u' is not valid: expected %s %u, the services",
        shape->depth, shape->depth == 1 ? "2 to" : "at most", shape->services);
  shape->seed = options->model.seed;
  lab_fleet_make(&simulation->fleet, shape);
}

/* Splits SERVICE=NUMBER; service names may hold '='. */
static uint32_t find_named(const lab_simulate_options *options,
                           struct argp_state *state,
                           const lab_named_value *named, double *number) {
  const lab_fleet *fleet = &options->simulation.fleet;
  const char *mark = strrchr(named->value, '=');
  char first[LAB_FLEET_NAME], last[LAB_FLEET_NAME];
  bool good = mark && lab_number_parse(mark + 1, number) &&
              *number >= named->min && *number <= named->max;
  uint32_t service = LAB_FLEET_NONE;
  if (good) {
    char *name = lab_format("%.*s", (int)(mark - named->value), named->value);
    service = lab_fleet_find(fleet, name);
    free(name);
  }
  if (service == LAB_FLEET_NONE)
    lab_option_refuse(
        state, named->option, named->value,
        "SERVICE=NUMBER, of a service from %s to %s, and from %g to %g",
        lab_fleet_name(fleet, 0, first),
        lab_fleet_name(fleet, fleet->count - 1, last), named->min, named->max);
  return service;
}

static void set_failures(lab_simulate_options *options,
                         struct argp_state *state) {
  lab_simulation *simulation = &options->simulation;
  lab_fleet *fleet = &simulation->fleet;
  bool somebody = options->failing_count > 0 || options->fail_all > 0 ||
                  options->overloaded.option;
  simulation->failing = lab_fleet_deepest(fleet);
  for (uint32_t i = 0; i < fleet->count; i++)
    fleet->services[i].fails = lab_chance_of(options->fail_all);
  for (size_t i = options->failing_count; i-- > 0;) {
    double rate = 0;
    simulation->failing =
        find_named(options, state, &options->failing[i], &rate);
    fleet->services[simulation->failing].fails = lab_chance_of(rate);
  }
  if (!somebody)
    fleet->services[simulation->failing].fails = LAB_CERTAIN;
}

static void set_overload(lab_simulate_options *options,
                         struct argp_state *state) {
  lab_simulation *simulation = &options->simulation;
  if (!options->overloaded.option) {
    if (options->overload_chosen)
      argp_error(state, "--queue, --patience, --timeout, --timeout-growth, "
                        "--trigger and --seconds need --overload");
    return;
  }
  simulation->overloaded = true;
  simulation->overload = options->overload;
  simulation->overload.service = find_named(
      options, state, &options->overloaded, &simulation->overload.capacity);
  simulation->failing = simulation->overload.service;
  simulation->fleet.services[simulation->failing].overloaded = true;
}

static void check_hops(const lab_simulate_options *options,
                       struct argp_state *state) {
  double hops = lab_fleet_hops(&options->simulation.fleet);
  if (hops > LAB_FLEET_HOPS_MAX)
    argp_error(state,
               "%s: a root request makes %.3g calls where nothing fails: "
               "expected at most %g",
               options->graph ? "--graph" : "--fan-out", hops,
               LAB_FLEET_HOPS_MAX);
}

void lab_simulate_options_finish(lab_simulate_options *options,
                                 struct argp_state *state) {
  lab_simulation *simulation = &options->simulation;
  make_fleet(options, state);
  check_hops(options, state);
  options->gaps.no_eown = 1 - options->eown_share;
  lab_fleet_set_gaps(&simulation->fleet, &options->gaps, options->model.seed);
  set_failures(options, state);
  set_overload(options, state);
  simulation->model = options->model;
  simulation->model.fleet = &simulation->fleet;
  simulation->model.spell_ms = (uint32_t)options->correlated_ms;
  simulation->model.max_tokens = options->throttle_tokens;
  simulation->model.memory = options->memory ? &lab_memory_model_learns : NULL;
  simulation->count = options->mode_count;
  for (size_t i = 0; i < options->mode_count; i++)
    simulation->runs[i].mode = options->modes[i];
}
