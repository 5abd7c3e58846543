/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "coincidence.h"

#include "lab/base/interrupt.h"
#include "lab/published/statistics.h"
#include "lab/real/graph.h"
#include "lab/real/load.h"
#include "lab/real/node_stats.h"

#include <grpc/grpc.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Places in the graph; the callees come after. */
enum { ROOT, SERVICE, CALLEES };

#define LEARNED_SHARE 0.005

void lab_coincidence_init(lab_coincidence *coincidence) {
  *coincidence = (lab_coincidence){
      .callees = 2,
      .callee_rate = 0.1,
      .own_rate = 0.1,
      .memory = true,
      .requests = 20000,
      .concurrency = 32,
      .seed = 1,
  };
}

uint64_t lab_coincidence_learning(const lab_coincidence *coincidence) {
  return coincidence->callee_rate > 0
             ? (uint64_t)ceil(300 / coincidence->callee_rate)
             : 0;
}

/* --- the nodes -------------------------------------------------------------
 */

static void add_common(lab_node *node, const lab_coincidence *coincidence,
                       double rate, size_t index) {
  lab_arguments *options = &node->options;
  lab_arguments_add(options, "--ownership");
  lab_arguments_add(options, "enforce");
  lab_arguments_add(options, "--fail-rate");
  lab_arguments_add(options, "%.17g", rate);
  lab_arguments_add(options, "--seed");
  lab_arguments_add(options, "%" PRIu64, coincidence->seed + index);
}

static void add_retries(lab_node *node) {
  lab_arguments_add(&node->options, "--attempts");
  lab_arguments_add(&node->options, "2");
}

static void describe_service(lab_node *node,
                             const lab_coincidence *coincidence) {
  snprintf(node->name, sizeof(node->name), "A");
  add_common(node, coincidence, coincidence->own_rate, SERVICE);
  add_retries(node);
  lab_arguments_add(&node->options, "--unpinned");
  lab_arguments_add(&node->options, "--eown-server");
  lab_arguments_add(&node->options, "memory=%d", coincidence->memory);
}

static void build(const lab_coincidence *coincidence, lab_graph *graph) {
  lab_graph_init(graph, coincidence->binary, CALLEES + coincidence->callees);
  lab_node *root = &graph->nodes[ROOT];
  snprintf(root->name, sizeof(root->name), "R");
  add_common(root, coincidence, 0, ROOT);
  add_retries(root);
  lab_graph_edge(graph, ROOT, SERVICE, false);
  describe_service(&graph->nodes[SERVICE], coincidence);
  for (size_t i = 0; i < coincidence->callees; i++) {
    lab_node *callee = &graph->nodes[CALLEES + i];
    snprintf(callee->name, sizeof(callee->name), "X%zu", i + 1);
    /* A call fails where both of its attempts do. */
    add_common(callee, coincidence, sqrt(coincidence->callee_rate),
               CALLEES + i);
    lab_graph_edge(graph, SERVICE, CALLEES + i, true);
  }
}

/* --- the phases ------------------------------------------------------------
 */

static uint64_t count(const json_t *stats, const char *key, const char *inner) {
  const json_t *value = json_object_get(stats, key);
  if (inner)
    value = json_object_get(value, inner);
  return (uint64_t)json_integer_value(value);
}

/* Adds what the nodes have counted so far, or (`sign` -1) takes it off. */
static void add_counts(const lab_graph *graph, lab_coincidence_phase *phase,
                       int sign) {
  uint64_t times = (uint64_t)(int64_t)sign;
  json_t *service = lab_node_stats(graph->nodes[SERVICE].port);
  json_t *root = lab_node_stats(graph->nodes[ROOT].port);
  phase->own_errors += times * count(service, "own_failures", NULL);
  phase->wrongly_unclaimed +=
      times * count(service, "claims_sent", "unclaimed");
  phase->retries_lost += times * count(root, "retries_stopped", "unclaimed");
  json_decref(service);
  json_decref(root);
}

static void run_phase(const lab_coincidence *coincidence,
                      const lab_graph *graph, uint64_t requests,
                      lab_progress *progress, lab_coincidence_phase *phase) {
  lab_load load = {
      .port = graph->nodes[ROOT].port,
      .service = graph->nodes[ROOT].name,
      .requests = requests,
      .concurrency = coincidence->concurrency,
      .progress = progress,
  };
  lab_load_result result = {0};
  add_counts(graph, phase, -1);
  lab_load_run(&load, &result);
  lab_interrupt_check();
  add_counts(graph, phase, 1);
  phase->requests = requests;
  phase->failed = lab_load_errors(&result);
}

void lab_coincidence_run(const lab_coincidence *coincidence,
                         lab_progress *progress,
                         lab_coincidence_result *result) {
  *result = (lab_coincidence_result){0};
  lab_graph graph;
  build(coincidence, &graph);
  lab_graph_start(&graph);
  grpc_init();
  if (coincidence->memory && coincidence->learning > 0) {
    lab_progress_label(progress, "learning");
    run_phase(coincidence, &graph, coincidence->learning, progress,
              &result->learning);
  }
  lab_progress_label(progress, "measuring");
  run_phase(coincidence, &graph, coincidence->requests, progress,
            &result->measured);
  grpc_shutdown();
  lab_graph_stop(&graph);
  lab_graph_clear(&graph);
}

/* --- what is to come out ---------------------------------------------------
 */

double lab_coincidence_share(const lab_coincidence_phase *phase) {
  return phase->own_errors == 0
             ? 0
             : (double)phase->wrongly_unclaimed / (double)phase->own_errors;
}

double lab_coincidence_availability(const lab_coincidence_phase *phase) {
  return 1 - (double)phase->failed / (double)phase->requests;
}

double lab_coincidence_share_expected(const lab_coincidence *coincidence) {
  double none = pow(1 - coincidence->callee_rate, (double)coincidence->callees);
  return coincidence->memory ? 0 : 1 - none;
}

/* An own error is final where it came unclaimed, or where the retry ended in
 * another. */
double
lab_coincidence_availability_expected(const lab_coincidence *coincidence) {
  double own = coincidence->own_rate;
  double share = lab_coincidence_share_expected(coincidence);
  return 1 - own * (share + (1 - share) * own);
}

bool lab_coincidence_passes(const lab_coincidence *coincidence,
                            const lab_coincidence_result *result) {
  const lab_coincidence_phase *phase = &result->measured;
  double share = lab_coincidence_share_expected(coincidence);
  double failed = 1 - lab_coincidence_availability_expected(coincidence);
  double errors = fmax(1, (double)phase->own_errors);
  double tolerance =
      coincidence->memory
          ? LEARNED_SHARE
          : lab_rate_tolerance(share, share * (1 - share), errors);
  double failed_tolerance = lab_rate_tolerance(failed, failed * (1 - failed),
                                               (double)phase->requests);
  double measured = 1 - lab_coincidence_availability(phase);
  return fabs(lab_coincidence_share(phase) - share) <= tolerance &&
         fabs(measured - failed) <= failed_tolerance;
}
