/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_BUILDER_H
#define EOWN_LAB_RADIUS_BUILDER_H

#include "graph.h"

/* Makes one graph after the other out of edges as they are read. Zero all but
 * `fleet` before use. */
typedef struct radius_builder {
  radius_fleet *fleet;
  radius_graph graph; /* the one being made */
  uint32_t *names;    /* of its nodes, and its edges: kept for the next graph */
  radius_edge *edges;
  uint32_t names_capacity;
  uint32_t edges_capacity;
  uint32_t *local; /* by name: its node + 1 in the graph being made, or 0 */
  uint32_t local_capacity;
} radius_builder;

/* Begins a graph that is found at `place`. `service` may be NULL; it is the
 * scope of the names. */
void radius_builder_begin(radius_builder *builder, radius_place place,
                          const char *service, double num);

/* Adds a node, which may be there already, and returns it. Names that are
 * empty, over long, not UTF-8 or with control characters are refused. */
uint32_t radius_builder_node(radius_builder *builder, radius_place place,
                             const char *name, size_t length);

/* Adds an edge; `calls` is 0 where the input does not say. */
void radius_builder_edge(radius_builder *builder, radius_place place,
                         uint32_t caller, uint32_t callee, double calls);

/* Refuses a count that is not above 0 and at most RADIUS_CALLS_MAX; `what` is
 * how the input calls it. */
void radius_check_count(radius_place place, const char *what, double count);

/* Ends the graph and adds it to the fleet; one without calls is refused. */
void radius_builder_end(radius_builder *builder);

void radius_builder_clear(radius_builder *builder);

#endif /* EOWN_LAB_RADIUS_BUILDER_H */
