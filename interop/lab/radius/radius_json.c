/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "radius.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

/* The ways that each figure is given for. */
static const radius_way radius_ways[] = {
    RADIUS_STOCK, RADIUS_CHAIN_STOP, RADIUS_OWNERSHIP, RADIUS_OWNERSHIP_FULL};
static const radius_way amplification_ways[] = {
    RADIUS_STOCK, RADIUS_BUDGET, RADIUS_OWNERSHIP, RADIUS_OWNERSHIP_FULL};

#define WAYS 4

static json_t *radius_object(const radius_survey *survey,
                             const radius_worst *worst) {
  json_t *object = json_object();
  for (size_t i = 0; i < WAYS; i++)
    if (radius_ways[i] < survey->ways)
      json_object_set_new(object, radius_way_name(radius_ways[i]),
                          json_integer(worst->radius[radius_ways[i]]));
  return object;
}

static json_t *amplification_object(const radius_survey *survey,
                                    const radius_worst *worst) {
  json_t *object = json_object();
  for (size_t i = 0; i < WAYS; i++)
    if (amplification_ways[i] < survey->ways)
      json_object_set_new(
          object, radius_way_name(amplification_ways[i]),
          json_real(worst->amplification[amplification_ways[i]]));
  return object;
}

static json_t *means_object(const radius_survey *survey, const double *means) {
  json_t *object = json_object();
  for (size_t i = 0; i < WAYS; i++)
    if (radius_ways[i] < survey->ways)
      json_object_set_new(object, radius_way_name(radius_ways[i]),
                          json_real(means[radius_ways[i]]));
  return object;
}

static void set_service(json_t *object, const radius_fleet *fleet,
                        uint32_t service) {
  if (service != RADIUS_NONE)
    json_object_set_new(object, "service",
                        json_string(radius_service_name(fleet, service)));
}

static json_t *row_object(const radius_survey *survey, const radius_row *row) {
  const radius_fleet *fleet = survey->fleet;
  const radius_graph *graph = &fleet->graphs[row->graph];
  json_t *object = json_object();
  set_service(object, fleet, graph->service);
  json_object_set_new(object, "root",
                      json_string(radius_node_name(fleet, graph, row->root)));
  json_object_set_new(object, "radius", radius_object(survey, &row->worst));
  json_object_set_new(object, "amplification",
                      amplification_object(survey, &row->worst));
  return object;
}

static json_t *overall_object(const radius_survey *survey) {
  json_t *object = json_object();
  json_object_set_new(object, "radius_max",
                      radius_object(survey, &survey->all));
  json_object_set_new(object, "radius_mean",
                      means_object(survey, survey->means.plain));
  json_object_set_new(object, "radius_mean_weighted",
                      means_object(survey, survey->means.weighted));
  json_object_set_new(object, "amplification_max",
                      amplification_object(survey, &survey->all));
  return object;
}

static json_t *step_object(const radius_survey *survey,
                           const radius_step *step) {
  const radius_name *names = survey->fleet->names.items;
  json_t *object = json_object();
  json_object_set_new(object, "action",
                      json_string(step->retry ? "retry" : "eown"));
  set_service(object, survey->fleet, names[step->name].scope);
  json_object_set_new(object, step->retry ? "caller" : "at",
                      json_string(names[step->name].text));
  if (step->retry)
    json_object_set_new(object, "callee",
                        json_string(names[step->callee].text));
  json_object_set_new(object, "radius_max", json_integer(step->radius_max));
  json_object_set_new(object, "radius_mean", json_real(step->radius_mean));
  json_object_set_new(object, "reach_max", json_integer(step->reach_max));
  return object;
}

/* Each value is printed by itself: there may be very many roots. */
static void print(json_t *value) {
  if (json_dumpf(value, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)))
    lab_fail("cannot write the result to standard output");
  json_decref(value);
}

void radius_print_json(const radius_survey *survey,
                       const radius_advice *advice) {
  printf("{\"graphs\":%" PRIu32 ",\"cycles\":%" PRIu64 ",\"roots\":[",
         survey->fleet->count, survey->cycles);
  for (uint32_t i = 0; i < survey->count; i++) {
    if (i)
      putchar(',');
    print(row_object(survey, &survey->rows[i]));
  }
  printf("],\"overall\":");
  print(overall_object(survey));
  json_t *steps = json_array();
  for (uint32_t i = 0; i < advice->count; i++)
    json_array_append_new(steps, step_object(survey, &advice->steps[i]));
  printf(",\"advice\":");
  print(steps);
  puts("}");
}
