/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* One pair after the other: what a callee serves meanwhile is its caller's. */
#include "mesh.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"
#include "lab/real/node_stats.h"

#include <string.h>

#define CONCURRENCY 8

static uint64_t count(const json_t *object, const char *key) {
  json_int_t value = json_integer_value(json_object_get(object, key));
  return value > 0 ? (uint64_t)value : 0;
}

static uint64_t newly_served(const lab_graph *graph, lab_mesh_callee *callee) {
  json_t *stats = lab_node_stats(graph->nodes[callee->node].port);
  uint64_t served = count(stats, "served");
  uint64_t before = callee->served;
  json_decref(stats);
  callee->served = served;
  return served - before;
}

/* Ends the program where a call was never answered: nor would the rest be. */
static void check_answered(const lab_mesh *mesh, const lab_load_result *answers,
                           const lab_node *caller, const lab_node *callee) {
  if (!answers->statuses[EOWN_STATUS_DEADLINE_EXCEEDED])
    return;
  lab_process_show_errors(caller->process);
  lab_process_show_errors(callee->process);
  lab_fail("node %s did not answer within %u s when it called %s", caller->name,
           mesh->timeout_s, callee->name);
}

static void run_pair(const lab_mesh *mesh, const lab_graph *graph,
                     lab_mesh_callee *callee, lab_mesh_pair *pair) {
  const lab_node *caller = &graph->nodes[pair->caller->node];
  lab_progress quiet = {0};
  lab_load load = {
      .port = caller->port,
      .service = caller->name,
      .callee = graph->nodes[callee->node].name,
      .requests = mesh->requests,
      .concurrency = CONCURRENCY,
      .timeout_s = mesh->timeout_s,
      .progress = &quiet,
  };
  lab_load_result answers = {0};
  lab_load_run(&load, &answers);
  lab_interrupt_check();
  check_answered(mesh, &answers, caller, &graph->nodes[callee->node]);
  memcpy(pair->answers, answers.claims, sizeof(pair->answers));
  pair->served = newly_served(graph, callee);
}

/* What the caller says of one callee; NULL where it says nothing. */
static const json_t *find_callee(const json_t *stats, const char *name) {
  const json_t *callees = json_object_get(stats, "callees");
  for (size_t i = 0; i < json_array_size(callees); i++) {
    const json_t *callee = json_array_get(callees, i);
    const char *found = json_string_value(json_object_get(callee, "name"));
    if (found && !strcmp(found, name))
      return callee;
  }
  return NULL;
}

/* A caller calls each callee for one pair only, so its counts are the pair's.
 */
static void take_reads(const lab_graph *graph, lab_mesh_pair *pairs,
                       size_t pairs_count) {
  json_t *stats = lab_node_stats(graph->nodes[pairs->caller->node].port);
  for (size_t i = 0; i < pairs_count; i++) {
    const char *name = graph->nodes[pairs[i].callee->node].name;
    const json_t *callee = find_callee(stats, name);
    pairs[i].errors = count(callee, "errors");
    for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
      pairs[i].reads[claim] = count(callee, eown_claim_name((eown_claim)claim));
  }
  json_decref(stats);
}

static void run_caller(const lab_mesh *mesh, const lab_graph *graph,
                       lab_progress *progress, lab_mesh_result *result,
                       const lab_mesh_caller *caller) {
  uint64_t total =
      mesh->requests * result->callers_count * result->callees_count;
  lab_mesh_pair *pairs = &result->pairs[result->pairs_count];
  lab_progress_label(progress, "%s calls", graph->nodes[caller->node].name);
  for (size_t i = 0; i < result->callees_count; i++) {
    lab_mesh_callee *callee = &result->callees[i];
    pairs[i] = (lab_mesh_pair){.caller = caller, .callee = callee};
    run_pair(mesh, graph, callee, &pairs[i]);
    result->pairs_count++;
    lab_progress_update(progress, mesh->requests * result->pairs_count, total);
  }
  take_reads(graph, pairs, result->callees_count);
}

void lab_mesh_pairs_run(const lab_mesh *mesh, const lab_graph *graph,
                        lab_progress *progress, lab_mesh_result *result) {
  result->pairs = lab_allocate(result->callers_count * result->callees_count,
                               sizeof(*result->pairs));
  for (size_t i = 0; i < result->callers_count; i++)
    run_caller(mesh, graph, progress, result, &result->callers[i]);
}
