/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "mesh.h"

#include "lab/base/interrupt.h"

#include <grpc/grpc.h>

#include <stdlib.h>

static void run_pairs(const lab_mesh *mesh, lab_progress *progress,
                      lab_mesh_result *result) {
  lab_graph graph;
  lab_mesh_nodes_make(mesh, &graph, result);
  lab_progress_label(progress, "starting %zu nodes", graph.count);
  lab_progress_say(progress);
  lab_graph_start(&graph);
  lab_mesh_programs_read(&graph, result);
  grpc_init();
  lab_mesh_pairs_run(mesh, &graph, progress, result);
  grpc_shutdown();
  lab_graph_stop(&graph);
  lab_graph_clear(&graph);
}

void lab_mesh_run(const lab_mesh *mesh, lab_progress *progress,
                  lab_mesh_result *result) {
  uint64_t start_ms = lab_now_ms();
  *result = (lab_mesh_result){0};
  run_pairs(mesh, progress, result);
  if (mesh->chain_requests)
    lab_mesh_chains_run(mesh, progress, result);
  result->seconds = (double)(lab_now_ms() - start_ms) / 1000.0;
  lab_progress_clear(progress);
}

static void clear_program(lab_mesh_program *program) {
  free(program->language);
  free(program->version);
}

void lab_mesh_clear(lab_mesh_result *result) {
  for (size_t i = 0; i < result->callers_count; i++)
    clear_program(&result->callers[i].program);
  for (size_t i = 0; i < result->callees_count; i++)
    clear_program(&result->callees[i].program);
  free(result->callers);
  free(result->callees);
  free(result->pairs);
  free(result->chains);
  *result = (lab_mesh_result){0};
}

/* An unclaimed error is never retried: its pushback stops stock callers too,
 * but for loops by hand, which no pushback stops. */
unsigned lab_mesh_attempts_expected(const lab_mesh_pair *pair) {
  bool by_hand = pair->caller->stock && pair->caller->peer->loops_only;
  return pair->callee->sends == EOWN_CLAIM_UNCLAIMED && !by_hand
             ? 1
             : LAB_MESH_ATTEMPTS;
}

unsigned lab_mesh_errors_expected(const lab_mesh_pair *pair) {
  return pair->caller->peer->loops_only ? lab_mesh_attempts_expected(pair) : 1;
}

/* A caller has only errors of its callees, and each of them had its retry. */
eown_claim lab_mesh_answer_expected(const lab_mesh_pair *pair) {
  return pair->caller->stock ? EOWN_CLAIM_MISSING : EOWN_CLAIM_UNCLAIMED;
}

bool lab_mesh_pair_passes(const lab_mesh *mesh, const lab_mesh_pair *pair) {
  uint64_t requests = mesh->requests;
  return pair->served == requests * lab_mesh_attempts_expected(pair) &&
         pair->errors == requests * lab_mesh_errors_expected(pair) &&
         pair->reads[pair->callee->sends] == pair->errors &&
         pair->answers[lab_mesh_answer_expected(pair)] == requests;
}

bool lab_mesh_chain_passes(const lab_mesh *mesh, const lab_mesh_chain *chain) {
  for (size_t i = 0; i < LAB_MESH_CHAIN; i++)
    if (chain->served[i] != mesh->chain_requests * chain->expected[i])
      return false;
  return true;
}

bool lab_mesh_passes(const lab_mesh *mesh, const lab_mesh_result *result) {
  for (size_t i = 0; i < result->pairs_count; i++)
    if (!lab_mesh_pair_passes(mesh, &result->pairs[i]))
      return false;
  for (size_t i = 0; i < result->chains_count; i++)
    if (!lab_mesh_chain_passes(mesh, &result->chains[i]))
      return false;
  return true;
}
