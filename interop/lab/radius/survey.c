/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "survey.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"
#include "room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Some tens of seconds. */
#define STEPS_MAX 300000000u

const char *radius_way_name(radius_way way) {
  static const char *const names[RADIUS_WAYS] = {
      [RADIUS_STOCK] = "stock",
      [RADIUS_BUDGET] = "budget",
      [RADIUS_CHAIN_STOP] = "chain_stop",
      [RADIUS_OWNERSHIP] = "ownership",
      [RADIUS_OWNERSHIP_FULL] = "ownership_full",
  };
  return names[way];
}

static void set_modes(radius_survey *survey, const radius_policy *policy,
                      const bool *eown) {
  for (int way = 0; way < RADIUS_WAYS; way++)
    radius_mode_init(&survey->modes[way], policy->attempts);
  radius_mode_limit(&survey->modes[RADIUS_BUDGET], policy->budget);
  radius_mode_stop_chains(&survey->modes[RADIUS_CHAIN_STOP]);
  bool full = policy->rollout == RADIUS_ROLLOUT_UNSAID ||
              policy->rollout == RADIUS_ROLLOUT_ALL;
  survey->modes[RADIUS_OWNERSHIP].everywhere = full;
  if (policy->rollout == RADIUS_ROLLOUT_LIST)
    survey->modes[RADIUS_OWNERSHIP].eown = eown;
  survey->modes[RADIUS_OWNERSHIP_FULL].everywhere = true;
  survey->ways = full ? RADIUS_OWNERSHIP_FULL : RADIUS_WAYS;
}

static void raise(radius_worst *worst, uint32_t way,
                  const radius_outcome *outcome) {
  if (outcome->radius > worst->radius[way])
    worst->radius[way] = outcome->radius;
  worst->amplification[way] =
      fmax(worst->amplification[way], outcome->amplification);
}

static void check_steps(const radius_storm *storm) {
  if (storm->steps > STEPS_MAX)
    radius_refuse(storm->walk->graph->place,
                  "more than %u steps: expected graphs with fewer services in "
                  "front of each other, or fewer graphs",
                  STEPS_MAX);
}

/* The service at `position` fails. */
static void fail(radius_survey *survey, radius_storm *storm, radius_row *row,
                 uint32_t position) {
  const radius_walk *walk = storm->walk;
  uint32_t node = walk->nodes[position];
  radius_worst *service = &survey->services[walk->graph->names[node]];
  uint32_t before = row->worst.radius[RADIUS_STOCK];
  radius_storm_fail(storm, position);
  for (uint32_t way = 0; way < survey->ways; way++) {
    radius_outcome outcome = radius_storm_run(storm, &survey->modes[way]);
    raise(&row->worst, way, &outcome);
    raise(service, way, &outcome);
    raise(&survey->all, way, &outcome);
  }
  if (row->worst.radius[RADIUS_STOCK] > before)
    row->failing = node;
}

static void examine(radius_survey *survey, radius_storm *storm,
                    radius_walk *walk, uint32_t graph, uint32_t root) {
  radius_walk_from(walk, &survey->fleet->graphs[graph], root);
  radius_storm_begin(storm, walk);
  survey->rows = radius_room(survey->rows, survey->count, &survey->capacity,
                             sizeof(*survey->rows));
  radius_row *row = &survey->rows[survey->count++];
  *row = (radius_row){.graph = graph, .root = root, .failing = root};
  for (uint32_t i = 0; i < walk->count; i++) {
    fail(survey, storm, row, i);
    check_steps(storm);
    if (i % 1024 == 0)
      lab_interrupt_check();
  }
}

static void count_cycles(radius_survey *survey, const radius_graph *graph) {
  for (uint32_t i = 0; i < graph->edge_count; i++) {
    survey->cycles += graph->edges[i].broken;
    survey->self_calls += graph->edges[i].broken &&
                          graph->edges[i].caller == graph->edges[i].callee;
  }
  survey->rootless += graph->rootless;
}

/* What no root reaches: marks what the walks reached. */
static void count_unreached(radius_survey *survey, const radius_graph *graph,
                            const bool *reached) {
  for (uint32_t i = 0; i < graph->node_count; i++)
    survey->unreached += !reached[i] && i != graph->outside;
}

static void examine_graph(radius_survey *survey, radius_storm *storm,
                          radius_walk *walk, uint32_t number) {
  radius_graph *graph = &survey->fleet->graphs[number];
  bool *reached = lab_allocate(graph->node_count, sizeof(*reached));
  for (uint32_t i = 0; i < graph->root_count; i++) {
    examine(survey, storm, walk, number, graph->roots[i]);
    for (uint32_t j = 0; j < walk->count; j++)
      reached[walk->nodes[j]] = true;
  }
  count_unreached(survey, graph, reached);
  free(reached);
  count_cycles(survey, graph);
}

static void take_means(radius_survey *survey) {
  for (uint32_t way = 0; way < survey->ways; way++) {
    double plain = 0;
    double weighted = 0;
    double num = 0;
    for (uint32_t i = 0; i < survey->count; i++) {
      const radius_row *row = &survey->rows[i];
      double weight = survey->fleet->graphs[row->graph].num;
      plain += row->worst.radius[way];
      weighted += weight * row->worst.radius[way];
      num += weight;
    }
    survey->means.plain[way] = plain / survey->count;
    survey->means.weighted[way] = weighted / num;
  }
}

void radius_survey_run(radius_survey *survey, radius_fleet *fleet,
                       const radius_policy *policy, const bool *eown) {
  radius_storm storm = {0};
  radius_walk walk = {0};
  *survey = (radius_survey){.fleet = fleet};
  survey->services = lab_allocate(fleet->names.count, sizeof(radius_worst));
  set_modes(survey, policy, eown);
  for (uint32_t i = 0; i < fleet->count; i++)
    examine_graph(survey, &storm, &walk, i);
  survey->steps = storm.steps;
  take_means(survey);
  radius_walk_clear(&walk);
  radius_storm_clear(&storm);
}

void radius_survey_clear(radius_survey *survey) {
  free(survey->rows);
  free(survey->services);
  *survey = (radius_survey){0};
}
