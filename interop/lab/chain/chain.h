/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CHAIN_H
#define EOWN_LAB_CHAIN_H

#include "lab/real/graph.h"
#include "lab/real/load.h"

#include "eown/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_CHAIN_MIN 2
#define LAB_CHAIN_MAX 26
#define LAB_CHAIN_CONCURRENCY 32

/* What is particular to one node of a chain. */
typedef struct lab_chain_node {
  const lab_peer *peer; /* NULL: eown-node */
  double fail_rate;
  bool no_retry;  /* one attempt only towards its callee */
  bool stock;     /* gRPC without eown */
  bool drop;      /* loses the inbound context */
  bool killed;    /* its process is killed before the load */
  bool fail_open; /* carries on without its callee */
} lab_chain_node;

/* A chain: A calls B, B calls C, and so on. All texts are borrowed. */
typedef struct lab_chain {
  size_t nodes;
  lab_chain_node node[LAB_CHAIN_MAX];
  const char *status; /* of the failing nodes */
  unsigned attempts;
  const char *retry_by; /* who makes them: grpc, application or both */
  double budget;        /* percent; < 0: none */
  eown_mode mode;
  bool no_claims;      /* budgets alone */
  const char *context; /* how outbound calls find their inbound */
  const char *tls;     /* a folder; NULL: plain text */
  uint64_t seed;
  uint64_t healthy; /* requests before the failing nodes begin to fail; they are
                       sent first and the load's result leaves them out */
  uint64_t requests;
  size_t concurrency;
  unsigned timeout_s; /* of each request; 0: as the load has it */
  bool stream;
  const lab_arguments *settings; /* KEY=VALUE for every node; NULL: none */
  const char *binary;            /* of eown-node */
} lab_chain;

/* What a run brought. The graph holds the nodes' reports; free it with
 * lab_graph_clear. */
typedef struct lab_chain_result {
  lab_graph graph;
  lab_load_result load;
} lab_chain_result;

/* Fills in the defaults: four nodes, two attempts, enforce, nothing fails. */
void lab_chain_init(lab_chain *chain);

/* Describes the chain's nodes, from `first` on, in a graph that has room. */
void lab_chain_describe(const lab_chain *chain, lab_graph *graph, size_t first);

/* Drives the load into the chain that begins at `first` of a graph that is
 * up. */
void lab_chain_drive(const lab_chain *chain, const lab_graph *graph,
                     size_t first, lab_progress *progress,
                     lab_load_result *result);

/* Starts the nodes, drives the load, stops the nodes. */
void lab_chain_run(const lab_chain *chain, lab_progress *progress,
                   lab_chain_result *result);

/* Requests served by a node per root request. */
double lab_chain_ratio(const lab_chain *chain, const lab_chain_result *result,
                       size_t node);

/* The result as one JSON object; the caller owns it. */
json_t *lab_chain_make_json(const lab_chain *chain,
                            const lab_chain_result *result);

/* Prints the result as a table, or as one JSON object. */
void lab_chain_print_table(const lab_chain *chain,
                           const lab_chain_result *result);
void lab_chain_print_json(const lab_chain *chain,
                          const lab_chain_result *result);

#endif /* EOWN_LAB_CHAIN_H */
