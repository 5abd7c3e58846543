/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_GRAPH_H
#define EOWN_LAB_RADIUS_GRAPH_H

#include "names.h"
#include "refuse.h"

#include <stdbool.h>

/* Limits; more is refused. */
#define RADIUS_NODES_MAX 4000000u
#define RADIUS_EDGES_MAX 16000000u
#define RADIUS_CALLS_MAX 1e15

/* The caller that stands for everybody outside, where it calls somebody. */
#define RADIUS_OUTSIDE "USER"

/* Calls of one service to another. */
typedef struct radius_edge {
  uint32_t caller; /* nodes of the graph */
  uint32_t callee;
  double calls;  /* as counted; 0: the input does not say */
  double weight; /* calls per request of the caller */
  bool no_retry;
  bool fail_open;
  bool broken; /* it closes a cycle, in the walk from some root */
} radius_edge;

/* One call graph.
 *
 * Duplicate edges are one edge: their counts add up; an edge without a count
 * only repeats what is known. The weight of an edge is its calls over all calls
 * its caller receives; over the calls of the caller's busiest edge where
 * nothing is known to come in; 1 where the edge has no count.
 *
 * Roots are the services that USER calls; without USER those that nobody calls;
 * where everybody is called (cycles only), the caller the input names first. */
typedef struct radius_graph {
  radius_place place;
  uint32_t service; /* in the fleet's services; RADIUS_NONE: none */
  double num;       /* how often the graph occurred */
  uint32_t node_count;
  uint32_t edge_count;
  uint32_t root_count;
  uint32_t *names;    /* of each node, in the fleet's names */
  radius_edge *edges; /* by caller, then callee */
  uint32_t *first;    /* node_count + 1: where a caller's edges begin */
  uint32_t *roots;
  uint32_t outside; /* USER's node; RADIUS_NONE: there is none */
  bool rootless;    /* no root of its own: the first caller was taken */
} radius_graph;

/* All graphs of the input. Zero it before use. */
typedef struct radius_fleet {
  radius_names services; /* the services of graphs: their scopes */
  radius_names names;    /* of nodes */
  radius_graph *graphs;
  uint32_t count;
  uint32_t capacity;
  uint64_t duplicates; /* edges that were merged into others */
} radius_fleet;

/* The node's name; text of the fleet. */
const char *radius_node_name(const radius_fleet *fleet,
                             const radius_graph *graph, uint32_t node);

/* The name of the service with that number; NULL for RADIUS_NONE. */
const char *radius_service_name(const radius_fleet *fleet, uint32_t service);

void radius_fleet_clear(radius_fleet *fleet);

#endif /* EOWN_LAB_RADIUS_GRAPH_H */
