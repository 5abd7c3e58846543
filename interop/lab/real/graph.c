/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include <signal.h>
#include <stdlib.h>

#define READY_TIMEOUT_MS 60000
#define EXIT_TIMEOUT_MS 20000

void lab_graph_init(lab_graph *graph, const char *binary, size_t count) {
  *graph = (lab_graph){
      .binary = binary,
      .count = count,
      .nodes = lab_allocate(count, sizeof(*graph->nodes)),
  };
  for (size_t i = 0; i < count; i++)
    graph->nodes[i].peer = &lab_peers[0];
}

void lab_graph_edge(lab_graph *graph, size_t caller, size_t callee,
                    bool fail_open) {
  lab_node *node = &graph->nodes[caller];
  lab_edge *callees =
      realloc(node->callees, (node->callee_count + 1) * sizeof(*callees));
  if (!callees)
    lab_fail("out of memory");
  node->callees = callees;
  callees[node->callee_count++] =
      (lab_edge){.callee = callee, .fail_open = fail_open};
}

static void add_callees(const lab_graph *graph, const lab_node *node,
                        lab_arguments *argv) {
  for (size_t i = 0; i < node->callee_count; i++) {
    const lab_node *callee = &graph->nodes[node->callees[i].callee];
    lab_arguments_add(argv, "--callee");
    lab_arguments_add(argv, "%s=127.0.0.1:%d%s", callee->name, callee->port,
                      node->callees[i].fail_open ? ",fail-open" : "");
  }
}

static lab_process *start_process(const lab_graph *graph,
                                  const lab_node *node) {
  lab_arguments argv = {0};
  lab_peer_add_program(node->peer, graph->binary, &argv);
  lab_arguments_add(&argv, "--name");
  lab_arguments_add(&argv, "%s", node->name);
  lab_arguments_add(&argv, "--listen");
  lab_arguments_add(&argv, "127.0.0.1:0");
  add_callees(graph, node, &argv);
  for (size_t i = 0; i < node->options.count; i++)
    lab_arguments_add(&argv, "%s", node->options.items[i]);
  lab_process *process = lab_process_start(node->name, argv.items);
  lab_arguments_clear(&argv);
  return process;
}

_Noreturn static void fail_at_start(lab_node *node) {
  lab_interrupt_check();
  lab_process_wait(node->process, 0);
  lab_process_show_errors(node->process);
  if (lab_peer_is_own(node->peer))
    lab_fail("node %s did not come up", node->name);
  char *setup = lab_peer_path(node->peer, "setup");
  lab_fail("node %s, peer %s, did not come up; the peer is set up by %s",
           node->name, node->peer->name, setup);
}

static void await_ready(lab_node *node) {
  node->ready = lab_process_read(node->process, "ready", READY_TIMEOUT_MS);
  node->port = (int)json_integer_value(json_object_get(node->ready, "port"));
  if (node->port <= 0)
    fail_at_start(node);
}

static bool callees_are_up(const lab_graph *graph, const lab_node *node) {
  for (size_t i = 0; i < node->callee_count; i++)
    if (!graph->nodes[node->callees[i].callee].port)
      return false;
  return true;
}

/* Starts all nodes that can be, then waits for them. */
static void start_wave(lab_graph *graph) {
  for (size_t i = 0; i < graph->count; i++) {
    lab_node *node = &graph->nodes[i];
    if (!node->process && callees_are_up(graph, node))
      node->process = start_process(graph, node);
  }
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].process && !graph->nodes[i].port)
      await_ready(&graph->nodes[i]);
}

static bool is_up(const lab_graph *graph) {
  for (size_t i = 0; i < graph->count; i++)
    if (!graph->nodes[i].port)
      return false;
  return true;
}

void lab_graph_start(lab_graph *graph) {
  while (!is_up(graph))
    start_wave(graph);
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].killed) {
      lab_process_signal(graph->nodes[i].process, SIGKILL);
      lab_process_wait(graph->nodes[i].process, EXIT_TIMEOUT_MS);
    }
}

/* Returns whether the node ended as it should. */
static bool stop_node(lab_node *node) {
  if (node->killed)
    return true;
  node->report = lab_process_read(node->process, "exit", EXIT_TIMEOUT_MS);
  bool ended_well = lab_process_wait(node->process, EXIT_TIMEOUT_MS);
  if (lab_interrupted() || (node->report && ended_well))
    return true;
  lab_process_show_errors(node->process);
  return false;
}

void lab_graph_stop(lab_graph *graph) {
  const lab_node *failed = NULL;
  for (size_t i = 0; i < graph->count; i++)
    lab_process_signal(graph->nodes[i].process, SIGTERM);
  for (size_t i = 0; i < graph->count; i++)
    if (!stop_node(&graph->nodes[i]))
      failed = &graph->nodes[i];
  lab_interrupt_check();
  if (failed)
    lab_fail("node %s, peer %s, ended before its time or without its counts: "
             "%s",
             failed->name, failed->peer->name,
             lab_process_end(failed->process));
}

void lab_graph_clear(lab_graph *graph) {
  for (size_t i = 0; i < graph->count; i++) {
    lab_node *node = &graph->nodes[i];
    lab_process_free(node->process);
    json_decref(node->ready);
    json_decref(node->report);
    lab_arguments_clear(&node->options);
    free(node->callees);
  }
  free(graph->nodes);
  *graph = (lab_graph){0};
}

static const char *ready_text(const lab_node *node, const char *key) {
  const char *text = json_string_value(json_object_get(node->ready, key));
  return text ? text : "";
}

char *lab_node_language(const lab_node *node) {
  return lab_format("%s", ready_text(node, "language"));
}

char *lab_node_version(const lab_node *node) {
  const char *own = ready_text(node, "version");
  const char *grpc = ready_text(node, "grpc");
  return lab_format("%s%s%s", own, *own && *grpc ? ", " : "", grpc);
}

uint64_t lab_node_count(const lab_node *node, const char *key,
                        const char *inner) {
  const json_t *value = json_object_get(node->report, key);
  if (inner)
    value = json_object_get(value, inner);
  json_int_t count = json_integer_value(value);
  return count > 0 ? (uint64_t)count : 0;
}
