/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_GRAPH_H
#define EOWN_LAB_GRAPH_H

#include "lab/base/arguments.h"
#include "peer.h"
#include "process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_NODE_NAME_MAX 63

/* A node: what it is started with, and what became of it. */
typedef struct lab_node {
  char name[LAB_NODE_NAME_MAX + 1];
  const lab_peer *peer;  /* whose program it is; borrowed */
  lab_arguments options; /* beside its name and callees */
  bool killed;           /* SIGKILL once the graph is up: no counts */
  struct lab_edge *callees;
  size_t callee_count;
  int port;
  lab_process *process;
  json_t *ready;  /* what it printed when it was up */
  json_t *report; /* what it printed at its exit; NULL where it did not */
} lab_node;

/* An edge to a node that stands later in the graph. */
typedef struct lab_edge {
  size_t callee;
  bool fail_open;
} lab_edge;

/* A call graph of nodes, callers before their callees. */
typedef struct lab_graph {
  const char *binary; /* of eown-node; borrowed */
  size_t count;
  lab_node *nodes;
} lab_graph;

/* Makes a graph of `count` nodes of eown-node, without names or edges. */
void lab_graph_init(lab_graph *graph, const char *binary, size_t count);

/* Adds an edge; `callee` must stand after `caller`. */
void lab_graph_edge(lab_graph *graph, size_t caller, size_t callee,
                    bool fail_open);

/* Starts the nodes, each once its callees are up and else all at once, then
 * kills those that are to be killed. Shows what a node said, and fails as
 * lab_fail does, when one does not come up. */
void lab_graph_start(lab_graph *graph);

/* Stops the nodes and takes their reports. A node that ended badly, without
 * being meant to, is a failure. */
void lab_graph_stop(lab_graph *graph);

/* Frees the graph, nodes included. */
void lab_graph_clear(lab_graph *graph);

/* The language of a running node's program, and its version with that of its
 * gRPC ("1.26.8, grpc-go 1.81.0"); "" where it does not say. The caller owns
 * the texts. */
char *lab_node_language(const lab_node *node);
char *lab_node_version(const lab_node *node);

/* Reads a count out of a node's report: "served", or member `inner` (may be
 * NULL) of the object `key`; 0 where it is not there. */
uint64_t lab_node_count(const lab_node *node, const char *key,
                        const char *inner);

#endif /* EOWN_LAB_GRAPH_H */
