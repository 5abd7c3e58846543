/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"
#include "lab/base/failure.h"
#include "path.h"
#include "radius.h"

#include <inttypes.h>
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

/* How many roots have each radius, by way. */
static json_t *histogram_array(const radius_survey *survey) {
  radius_histogram histogram;
  radius_histogram_make(&histogram, survey);
  json_t *array = json_array();
  for (uint32_t radius = 0; radius < histogram.count; radius++) {
    json_t *roots = json_object();
    for (size_t i = 0; i < WAYS; i++)
      if (radius_ways[i] < survey->ways)
        json_object_set_new(
            roots, radius_way_name(radius_ways[i]),
            json_integer(histogram.roots[radius][radius_ways[i]]));
    json_array_append_new(
        array, json_pack("{s:i,s:o}", "radius", (int)radius, "roots", roots));
  }
  radius_histogram_clear(&histogram);
  return array;
}

static json_t *spot_object(const radius_survey *survey, const radius_path *path,
                           uint32_t number) {
  const radius_path_node *node = &path->nodes[number];
  json_t *object = json_object(), *load = json_object();
  json_t *multiplies = json_object();
  for (uint32_t way = 0; way < survey->ways; way++) {
    const char *name = radius_way_name((radius_way)way);
    json_object_set_new(load, name, json_real(node->load[way]));
    json_object_set_new(multiplies, name, json_boolean(node->multiplies[way]));
  }
  json_object_set_new(
      object, "name",
      json_string(radius_node_name(survey->fleet, path->graph, node->node)));
  json_object_set_new(object, "load", load);
  if (number + 1 < path->count)
    json_object_set_new(object, "multiplies", multiplies);
  else
    json_decref(multiplies);
  return object;
}

/* The storm's path at the worst root: loads over those without retries, and
 * whether attempts multiply on the call to the next node. */
static json_t *path_object(const radius_survey *survey) {
  radius_path path;
  radius_path_find(&path, survey);
  json_t *object = json_object(), *nodes = json_array();
  const radius_fleet *fleet = survey->fleet;
  set_service(object, fleet, path.graph->service);
  for (uint32_t i = 0; i < path.count; i++)
    json_array_append_new(nodes, spot_object(survey, &path, i));
  json_object_set_new(
      object, "root",
      json_string(radius_node_name(fleet, path.graph, path.nodes[0].node)));
  json_object_set_new(object, "failing",
                      json_string(radius_node_name(
                          fleet, path.graph, path.nodes[path.count - 1].node)));
  json_object_set_new(object, "nodes", nodes);
  radius_path_clear(&path);
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

static json_t *advice_array(const radius_survey *survey,
                            const radius_advice *advice) {
  json_t *steps = json_array();
  for (uint32_t i = 0; i < advice->count; i++)
    json_array_append_new(steps, step_object(survey, &advice->steps[i]));
  return steps;
}

json_t *radius_make_json(const radius_survey *survey,
                         const radius_advice *advice) {
  json_t *roots = json_array();
  for (uint32_t i = 0; i < survey->count; i++)
    json_array_append_new(roots, row_object(survey, &survey->rows[i]));
  json_t *object = json_object();
  json_object_set_new(object, "graphs", json_integer(survey->fleet->count));
  json_object_set_new(object, "cycles",
                      json_integer((json_int_t)survey->cycles));
  json_object_set_new(object, "roots", roots);
  json_object_set_new(object, "overall", overall_object(survey));
  json_object_set_new(object, "histogram", histogram_array(survey));
  json_object_set_new(object, "worst_path", path_object(survey));
  json_object_set_new(object, "advice", advice_array(survey, advice));
  return object;
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
  printf(",\"histogram\":");
  print(histogram_array(survey));
  printf(",\"worst_path\":");
  print(path_object(survey));
  printf(",\"advice\":");
  print(advice_array(survey, advice));
  puts("}");
}
