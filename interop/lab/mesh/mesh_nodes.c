/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The nodes of the pairs: first the callers, then the callees, last the node
 * whose errors the unclaimed ones pass on. */
#include "mesh.h"

#include "lab/base/failure.h"

#include <stdio.h>

static void add_pair(lab_node *node, const char *option, const char *value) {
  lab_arguments_add(&node->options, "%s", option);
  lab_arguments_add(&node->options, "%s", value);
}

static void add_retries(lab_node *node, unsigned attempts) {
  lab_peer_add_retry_by(node->peer, "grpc", &node->options);
  lab_arguments_add(&node->options, "--attempts");
  lab_arguments_add(&node->options, "%u", attempts);
}

static void begin(lab_node *node, const lab_peer *peer, const char *role,
                  bool stock) {
  snprintf(node->name, sizeof(node->name), "%s-%s", peer->name, role);
  node->peer = peer;
  add_pair(node, "--ownership", stock ? "stock" : "enforce");
}

static void add_caller(lab_graph *graph, lab_mesh_result *result,
                       const lab_peer *peer, bool stock) {
  size_t index = result->callers_count++;
  result->callers[index] =
      (lab_mesh_caller){.peer = peer, .stock = stock, .node = index};
  lab_node *node = &graph->nodes[index];
  begin(node, peer, stock ? "stock-caller" : "caller", stock);
  add_retries(node, LAB_MESH_ATTEMPTS);
}

/* `first` is the place of the callees. */
static void add_callee(lab_graph *graph, lab_mesh_result *result, size_t first,
                       const lab_peer *peer, eown_claim sends) {
  size_t index = first + result->callees_count;
  result->callees[result->callees_count++] =
      (lab_mesh_callee){.peer = peer, .sends = sends, .node = index};
  lab_node *node = &graph->nodes[index];
  begin(node, peer, eown_claim_name(sends), sends == EOWN_CLAIM_MISSING);
  if (sends == EOWN_CLAIM_UNCLAIMED) {
    add_retries(node, 2);
    lab_graph_edge(graph, index, graph->count - 1, false);
  } else {
    add_pair(node, "--fail-rate", "1");
  }
}

static void add_cause(lab_graph *graph) {
  lab_node *node = &graph->nodes[graph->count - 1];
  begin(node, &lab_peers[0], "cause", false);
  add_pair(node, "--fail-rate", "1");
}

static size_t count_owning(const lab_mesh *mesh) {
  size_t owning = 0;
  for (size_t i = 0; i < mesh->peers_count; i++)
    owning += !mesh->peers[i]->stock;
  return owning;
}

static void make_callers(const lab_mesh *mesh, lab_graph *graph,
                         lab_mesh_result *result) {
  for (int stock = 0; stock < 2; stock++)
    for (size_t i = 0; i < mesh->peers_count; i++)
      if (stock || !mesh->peers[i]->stock)
        add_caller(graph, result, mesh->peers[i], stock);
}

static void make_callees(const lab_mesh *mesh, lab_graph *graph,
                         lab_mesh_result *result) {
  static const eown_claim order[] = {EOWN_CLAIM_CLAIMED, EOWN_CLAIM_UNCLAIMED,
                                     EOWN_CLAIM_MISSING};
  for (size_t k = 0; k < EOWN_CLAIM_N; k++)
    for (size_t i = 0; i < mesh->peers_count; i++)
      if (order[k] == EOWN_CLAIM_MISSING || !mesh->peers[i]->stock)
        add_callee(graph, result, result->callers_count, mesh->peers[i],
                   order[k]);
}

static void connect(lab_graph *graph, const lab_mesh_result *result) {
  for (size_t i = 0; i < result->callers_count; i++)
    for (size_t j = 0; j < result->callees_count; j++)
      lab_graph_edge(graph, result->callers[i].node, result->callees[j].node,
                     false);
}

static lab_mesh_program program_of(const lab_node *node) {
  return (lab_mesh_program){lab_node_language(node), lab_node_version(node)};
}

void lab_mesh_programs_read(const lab_graph *graph, lab_mesh_result *result) {
  for (size_t i = 0; i < result->callers_count; i++)
    result->callers[i].program =
        program_of(&graph->nodes[result->callers[i].node]);
  for (size_t i = 0; i < result->callees_count; i++)
    result->callees[i].program =
        program_of(&graph->nodes[result->callees[i].node]);
}

void lab_mesh_nodes_make(const lab_mesh *mesh, lab_graph *graph,
                         lab_mesh_result *result) {
  size_t owning = count_owning(mesh);
  size_t callers = mesh->peers_count + owning;
  size_t callees = mesh->peers_count + 2 * owning;
  lab_graph_init(graph, mesh->binary, callers + callees + 1);
  result->callers = lab_allocate(callers, sizeof(*result->callers));
  result->callees = lab_allocate(callees, sizeof(*result->callees));
  make_callers(mesh, graph, result);
  make_callees(mesh, graph, result);
  add_cause(graph);
  connect(graph, result);
}
