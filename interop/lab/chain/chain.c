/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

#include "lab/base/interrupt.h"

#include <grpc/grpc.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void lab_chain_init(lab_chain *chain) {
  *chain = (lab_chain){
      .nodes = 4,
      .status = "UNAVAILABLE",
      .attempts = 2,
      .retry_by = "grpc",
      .budget = -1,
      .mode = EOWN_MODE_ENFORCE,
      .context = "parent",
      .seed = 1,
      .requests = 1000,
      .concurrency = LAB_CHAIN_CONCURRENCY,
  };
}

static void add_pair(lab_node *node, const char *option, const char *value) {
  lab_arguments_add(&node->options, "%s", option);
  lab_arguments_add(&node->options, "%s", value);
}

static void add_failure(lab_node *node, const lab_chain *chain, size_t index) {
  lab_arguments *options = &node->options;
  lab_arguments_add(options, "--fail-rate");
  lab_arguments_add(options, "%.17g", chain->node[index].fail_rate);
  add_pair(node, "--fail-status", chain->status);
  lab_arguments_add(options, "--healthy-first");
  lab_arguments_add(options, "%" PRIu64, chain->healthy);
  lab_arguments_add(options, "--seed");
  lab_arguments_add(options, "%" PRIu64, chain->seed + index);
}

static const char *ownership(const lab_chain *chain, size_t index) {
  return chain->node[index].stock ? "stock" : eown_mode_name(chain->mode);
}

static void add_settings(lab_node *node, const lab_chain *chain) {
  for (size_t i = 0; chain->settings && i < chain->settings->count; i++)
    add_pair(node, "--eown", chain->settings->items[i]);
  if (chain->no_claims)
    add_pair(node, "--eown", "trust_boundary=1");
  if (chain->budget < 0)
    return;
  lab_arguments_add(&node->options, "--eown-channel");
  lab_arguments_add(&node->options, "retry_budget_percent=%g", chain->budget);
  add_pair(node, "--eown-channel", "retry_budget_min_per_second=0");
}

static void describe(lab_node *node, const lab_chain *chain, size_t index) {
  const lab_chain_node *own = &chain->node[index];
  snprintf(node->name, sizeof(node->name), "%c", (int)('A' + index));
  node->killed = own->killed;
  if (own->peer)
    node->peer = own->peer;
  add_failure(node, chain, index);
  lab_arguments_add(&node->options, "--attempts");
  lab_arguments_add(&node->options, "%u", own->no_retry ? 1 : chain->attempts);
  lab_peer_add_retry_by(node->peer, chain->retry_by, &node->options);
  add_pair(node, "--ownership", ownership(chain, index));
  add_pair(node, "--context", own->drop ? "none" : chain->context);
  if (!own->stock)
    add_settings(node, chain);
  if (chain->tls)
    add_pair(node, "--tls", chain->tls);
}

void lab_chain_describe(const lab_chain *chain, lab_graph *graph,
                        size_t first) {
  for (size_t i = 0; i < chain->nodes; i++)
    describe(&graph->nodes[first + i], chain, i);
  for (size_t i = 0; i + 1 < chain->nodes; i++)
    lab_graph_edge(graph, first + i, first + i + 1, chain->node[i].fail_open);
}

void lab_chain_drive(const lab_chain *chain, const lab_graph *graph,
                     size_t first, lab_progress *progress,
                     lab_load_result *result) {
  lab_load load = {
      .port = graph->nodes[first].port,
      .service = graph->nodes[first].name,
      .tls = chain->tls,
      .stream = chain->stream,
      .requests = chain->healthy,
      .concurrency = chain->concurrency,
      .timeout_s = chain->timeout_s,
      .progress = progress,
  };
  lab_load_result ignored = {0};
  grpc_init();
  if (chain->healthy)
    lab_load_run(&load, &ignored);
  load.requests = chain->requests;
  lab_load_run(&load, result);
  grpc_shutdown();
}

void lab_chain_run(const lab_chain *chain, lab_progress *progress,
                   lab_chain_result *result) {
  memset(result, 0, sizeof(*result));
  lab_graph_init(&result->graph, chain->binary, chain->nodes);
  lab_chain_describe(chain, &result->graph, 0);
  lab_graph_start(&result->graph);
  lab_chain_drive(chain, &result->graph, 0, progress, &result->load);
  lab_graph_stop(&result->graph);
  lab_interrupt_check();
}

double lab_chain_ratio(const lab_chain *chain, const lab_chain_result *result,
                       size_t node) {
  uint64_t served = lab_node_count(&result->graph.nodes[node], "served", NULL);
  return (double)served / (double)chain->requests;
}
