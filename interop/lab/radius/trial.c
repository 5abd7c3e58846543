/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "lab/base/failure.h"

#include <stdlib.h>
#include <string.h>

void radius_trial_init(radius_trial *trial, const radius_survey *survey,
                       const radius_policy *policy, const bool *eown) {
  uint32_t names = survey->fleet->names.count;
  *trial = (radius_trial){.survey = survey};
  radius_mode_init(&trial->mode, policy->attempts);
  trial->eown = lab_allocate(names, sizeof(*trial->eown));
  if (policy->rollout == RADIUS_ROLLOUT_ALL)
    memset(trial->eown, true, names);
  if (policy->rollout == RADIUS_ROLLOUT_LIST)
    memcpy(trial->eown, eown, names);
  trial->mode.eown = trial->eown;
  trial->standings = lab_allocate(survey->count, sizeof(*trial->standings));
  radius_trial_renew(trial, RADIUS_NONE);
}

static void worsen(radius_standing *standing, const radius_outcome *outcome) {
  if (outcome->radius > standing->radius) {
    standing->radius = outcome->radius;
    standing->runs = 0;
  }
  if (outcome->radius == standing->radius)
    standing->runs += outcome->runs;
  if (outcome->reach > standing->reach)
    standing->reach = outcome->reach;
}

radius_standing radius_trial_row(radius_trial *trial, uint32_t number) {
  const radius_row *row = &trial->survey->rows[number];
  radius_standing standing = {0};
  radius_walk_from(&trial->walk, &trial->survey->fleet->graphs[row->graph],
                   row->root);
  radius_storm_begin(&trial->storm, &trial->walk);
  for (uint32_t i = 0; i < trial->walk.count; i++) {
    radius_storm_fail(&trial->storm, i);
    radius_outcome outcome = radius_storm_run(&trial->storm, &trial->mode);
    worsen(&standing, &outcome);
  }
  return standing;
}

static bool has_name(const radius_graph *graph, uint32_t name) {
  for (uint32_t i = 0; i < graph->node_count; i++)
    if (graph->names[i] == name)
      return true;
  return false;
}

/* Rows of one graph stand together. */
void radius_trial_renew(radius_trial *trial, uint32_t name) {
  const radius_survey *survey = trial->survey;
  uint32_t last = RADIUS_NONE;
  bool concerned = false;
  for (uint32_t i = 0; i < survey->count; i++) {
    uint32_t graph = survey->rows[i].graph;
    if (graph != last)
      concerned =
          name == RADIUS_NONE || has_name(&survey->fleet->graphs[graph], name);
    if (concerned)
      trial->standings[i] = radius_trial_row(trial, i);
    last = graph;
  }
}

static void add(radius_total *total, const radius_standing *standing,
                double num) {
  if (standing->radius > total->radius_max) {
    total->radius_max = standing->radius;
    total->at_radius = 0;
    total->runs = 0;
  }
  if (standing->radius == total->radius_max) {
    total->at_radius += num;
    total->runs += num * standing->runs;
  }
  if (standing->reach > total->reach_max) {
    total->reach_max = standing->reach;
    total->at_reach = 0;
  }
  if (standing->reach == total->reach_max)
    total->at_reach += num;
  total->mean += standing->radius;
}

radius_total radius_trial_total(const radius_trial *trial,
                                const radius_standing *instead) {
  const radius_survey *survey = trial->survey;
  radius_total total = {0};
  for (uint32_t i = 0; i < survey->count; i++) {
    const radius_standing *standing = &trial->standings[i];
    if (instead && instead[i].radius != RADIUS_NONE)
      standing = &instead[i];
    add(&total, standing, survey->fleet->graphs[survey->rows[i].graph].num);
  }
  total.mean /= survey->count;
  return total;
}

void radius_trial_clear(radius_trial *trial) {
  free(trial->eown);
  free(trial->standings);
  radius_walk_clear(&trial->walk);
  radius_storm_clear(&trial->storm);
  *trial = (radius_trial){0};
}
