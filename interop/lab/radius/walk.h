/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_WALK_H
#define EOWN_LAB_RADIUS_WALK_H

#include "graph.h"

/* A longer call path is refused: 5 attempts at each of more hops are more than
 * a number holds. */
#define RADIUS_DEPTH_MAX 400u

/* A call into a node of the walk. */
typedef struct radius_inbound {
  uint32_t caller; /* the caller's position */
  uint32_t edge;   /* of the graph */
} radius_inbound;

/* The call graph of one root: what a depth-first walk from it reaches, without
 * the edges that close a cycle in that walk (self-calls too) and without calls
 * to USER, in topological order: each node has a position, callers before their
 * callees, the root at 0. Zero it before use; it is made anew for each root. */
typedef struct radius_walk {
  const radius_graph *graph;
  uint32_t count;           /* nodes reached */
  uint32_t *nodes;          /* by position */
  uint32_t *first;          /* count + 1: where a position's inbounds begin */
  radius_inbound *inbounds; /* by callee */
  uint32_t *positions;      /* by node */
  uint32_t capacity;        /* of what goes by node or position */
  uint32_t inbounds_capacity;
  uint32_t *next;  /* by node: its next edge to follow */
  uint32_t *stack; /* of nodes */
} radius_walk;

/* Walks from `root` and marks the edges that it breaks. A call path longer than
 * RADIUS_DEPTH_MAX ends the program with status 2. */
void radius_walk_from(radius_walk *walk, radius_graph *graph, uint32_t root);

void radius_walk_clear(radius_walk *walk);

#endif /* EOWN_LAB_RADIUS_WALK_H */
