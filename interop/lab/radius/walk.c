/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "lab/base/failure.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

#define UNSEEN UINT32_MAX
#define ACTIVE (UINT32_MAX - 1)

static void *grow(void *items, size_t count) {
  void *moved = realloc(items, count * sizeof(uint32_t));
  if (!moved)
    lab_fail("out of memory");
  return moved;
}

static void make_room(radius_walk *walk, uint32_t nodes) {
  if (nodes <= walk->capacity)
    return;
  walk->capacity = nodes;
  walk->nodes = grow(walk->nodes, nodes);
  walk->first = grow(walk->first, (size_t)nodes + 1);
  walk->positions = grow(walk->positions, nodes);
  walk->next = grow(walk->next, nodes);
  walk->stack = grow(walk->stack, nodes);
}

/* Takes the next edge of `node` that leads to a new node; false where there is
 * none. */
static bool step(radius_walk *walk, uint32_t node, uint32_t *callee) {
  const radius_graph *graph = walk->graph;
  while (walk->next[node] < graph->first[node + 1]) {
    *callee = graph->edges[walk->next[node]++].callee;
    if (walk->positions[*callee] == UNSEEN && *callee != graph->outside)
      return true;
  }
  return false;
}

static void enter(radius_walk *walk, uint32_t node, uint32_t *depth) {
  walk->positions[node] = ACTIVE;
  walk->next[node] = walk->graph->first[node];
  walk->stack[(*depth)++] = node;
}

/* Nodes are done after all their callees: the order of their ends, turned
 * round, is topological. */
static void visit(radius_walk *walk, uint32_t root) {
  uint32_t depth = 0;
  enter(walk, root, &depth);
  while (depth) {
    uint32_t node = walk->stack[depth - 1];
    uint32_t callee = 0;
    if (step(walk, node, &callee)) {
      enter(walk, callee, &depth);
    } else {
      depth--;
      walk->positions[node] = walk->count;
      walk->nodes[walk->count++] = node;
    }
  }
}

static void turn_round(radius_walk *walk) {
  for (uint32_t i = 0, j = walk->count; i + 1 < j--; i++) {
    uint32_t node = walk->nodes[i];
    walk->nodes[i] = walk->nodes[j];
    walk->nodes[j] = node;
  }
  for (uint32_t i = 0; i < walk->count; i++)
    walk->positions[walk->nodes[i]] = i;
}

/* An edge closed a cycle if its callee was still being walked, and thus ended
 * after its caller. */
static bool closes(const radius_walk *walk, const radius_edge *edge) {
  return edge->callee == walk->graph->outside ||
         walk->positions[edge->callee] <= walk->positions[edge->caller];
}

static void count_inbounds(radius_walk *walk, radius_graph *graph) {
  memset(walk->first, 0, ((size_t)walk->count + 1) * sizeof(*walk->first));
  for (uint32_t i = 0; i < walk->count; i++) {
    uint32_t node = walk->nodes[i];
    for (uint32_t at = graph->first[node]; at < graph->first[node + 1]; at++)
      if (closes(walk, &graph->edges[at]))
        graph->edges[at].broken = true;
      else
        walk->first[walk->positions[graph->edges[at].callee]]++;
  }
  uint32_t total = 0;
  for (uint32_t i = 0; i <= walk->count; i++) {
    total += walk->first[i];
    walk->first[i] = total;
  }
}

/* Callers are placed last to first, from the end of each callee's part, so that
 * each part ends in the order of the callers. */
static void place_inbounds(radius_walk *walk) {
  const radius_graph *graph = walk->graph;
  walk->inbounds =
      radius_room_for(walk->inbounds, walk->first[walk->count],
                      &walk->inbounds_capacity, sizeof(*walk->inbounds));
  for (uint32_t i = walk->count; i--;) {
    uint32_t node = walk->nodes[i];
    for (uint32_t at = graph->first[node + 1]; at-- > graph->first[node];)
      if (!closes(walk, &graph->edges[at]))
        walk->inbounds
            [--walk->first[walk->positions[graph->edges[at].callee]]] =
            (radius_inbound){i, at};
  }
}

static void check_depth(radius_walk *walk) {
  uint32_t *depth = walk->stack; /* by position; the stack is empty now */
  for (uint32_t i = 0; i < walk->count; i++) {
    depth[i] = 0;
    for (uint32_t at = walk->first[i]; at < walk->first[i + 1]; at++)
      if (depth[walk->inbounds[at].caller] + 1 > depth[i])
        depth[i] = depth[walk->inbounds[at].caller] + 1;
    if (depth[i] > RADIUS_DEPTH_MAX)
      radius_refuse(walk->graph->place,
                    "a call path of more than %u hops: expected at most that",
                    RADIUS_DEPTH_MAX);
  }
}

/* Forgets the last walk; in the same graph only what it reached. */
static void forget(radius_walk *walk, const radius_graph *graph) {
  if (walk->graph == graph) {
    for (uint32_t i = 0; i < walk->count; i++)
      walk->positions[walk->nodes[i]] = UNSEEN;
  } else {
    make_room(walk, graph->node_count);
    memset(walk->positions, 0xff, graph->node_count * sizeof(*walk->positions));
  }
  walk->graph = graph;
  walk->count = 0;
}

void radius_walk_from(radius_walk *walk, radius_graph *graph, uint32_t root) {
  forget(walk, graph);
  visit(walk, root);
  turn_round(walk);
  count_inbounds(walk, graph);
  place_inbounds(walk);
  check_depth(walk);
}

void radius_walk_clear(radius_walk *walk) {
  free(walk->nodes);
  free(walk->first);
  free(walk->inbounds);
  free(walk->positions);
  free(walk->next);
  free(walk->stack);
  *walk = (radius_walk){0};
}
