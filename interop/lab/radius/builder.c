/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "builder.h"

#include "lab/base/failure.h"
#include "room.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 1000u

void radius_builder_begin(radius_builder *builder, radius_place place,
                          const char *service, double num) {
  radius_fleet *fleet = builder->fleet;
  builder->graph = (radius_graph){
      .place = place,
      .service = service ? radius_names_add(&fleet->services, RADIUS_NONE,
                                            service, strlen(service))
                         : RADIUS_NONE,
      .num = num,
      .outside = RADIUS_NONE,
  };
}

static bool is_utf8(const char *text, size_t length) {
  json_t *string = json_stringn(text, length);
  json_decref(string);
  return string != NULL;
}

#define NAME                                                                   \
  "expected the name of a service: 1 to 1000 bytes of UTF-8 without control "  \
  "characters"

static void check_bytes(radius_place place, const char *name, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (iscntrl((unsigned char)name[i]))
      radius_refuse(place, "a control character in a name: " NAME);
  if (!is_utf8(name, length))
    radius_refuse(place, "a name that is not UTF-8: " NAME);
}

/* The bytes of a name are looked at when it is new. */
static uint32_t add_name(radius_builder *builder, radius_place place,
                         const char *name, size_t length) {
  radius_names *names = &builder->fleet->names;
  uint32_t known = names->count;
  if (!length || length > NAME_MAX_BYTES)
    radius_refuse(place, "a name of %zu bytes: " NAME, length);
  uint32_t number =
      radius_names_add(names, builder->graph.service, name, length);
  if (number == known)
    check_bytes(place, name, length);
  return number;
}

static void make_room_for_name(radius_builder *builder, uint32_t name) {
  uint32_t had = builder->local_capacity;
  builder->local =
      radius_room_for(builder->local, name + 1, &builder->local_capacity,
                      sizeof(*builder->local));
  if (builder->local_capacity > had)
    memset(builder->local + had, 0,
           (builder->local_capacity - had) * sizeof(*builder->local));
}

uint32_t radius_builder_node(radius_builder *builder, radius_place place,
                             const char *name, size_t length) {
  radius_graph *graph = &builder->graph;
  uint32_t number = add_name(builder, place, name, length);
  make_room_for_name(builder, number);
  if (builder->local[number])
    return builder->local[number] - 1;
  if (graph->node_count == RADIUS_NODES_MAX)
    radius_refuse(place, "expected at most %u services in a graph",
                  RADIUS_NODES_MAX);
  builder->names =
      radius_room(builder->names, graph->node_count, &builder->names_capacity,
                  sizeof(*builder->names));
  builder->names[graph->node_count] = number;
  builder->local[number] = ++graph->node_count;
  return graph->node_count - 1;
}

void radius_check_count(radius_place place, const char *what, double count) {
  if (!(count > 0) || count > RADIUS_CALLS_MAX)
    radius_refuse(place, "%s %g: expected a number above 0, %g at most", what,
                  count, RADIUS_CALLS_MAX);
}

void radius_builder_edge(radius_builder *builder, radius_place place,
                         uint32_t caller, uint32_t callee, double calls) {
  radius_graph *graph = &builder->graph;
  if (graph->edge_count == RADIUS_EDGES_MAX)
    radius_refuse(place, "expected at most %u edges in a graph",
                  RADIUS_EDGES_MAX);
  builder->edges =
      radius_room(builder->edges, graph->edge_count, &builder->edges_capacity,
                  sizeof(*builder->edges));
  builder->edges[graph->edge_count++] =
      (radius_edge){.caller = caller, .callee = callee, .calls = calls};
}

static int compare_edges(const void *left, const void *right) {
  const radius_edge *a = left;
  const radius_edge *b = right;
  if (a->caller != b->caller)
    return a->caller < b->caller ? -1 : 1;
  return (a->callee > b->callee) - (a->callee < b->callee);
}

static void merge_duplicates(radius_builder *builder) {
  radius_graph *graph = &builder->graph;
  radius_edge *edges = builder->edges;
  qsort(edges, graph->edge_count, sizeof(*edges), compare_edges);
  uint32_t kept = 0;
  for (uint32_t i = 1; i < graph->edge_count; i++)
    if (compare_edges(&edges[kept], &edges[i]))
      edges[++kept] = edges[i];
    else
      edges[kept].calls += edges[i].calls;
  builder->fleet->duplicates += graph->edge_count - (kept + 1);
  graph->edge_count = kept + 1;
}

static void *copy(const void *items, size_t count, size_t size) {
  void *memory = lab_allocate(count, size);
  memcpy(memory, items, count * size);
  return memory;
}

static void index_callers(radius_graph *graph) {
  graph->first = lab_allocate((size_t)graph->node_count + 1, sizeof(uint32_t));
  for (uint32_t i = 0; i < graph->edge_count; i++)
    graph->first[graph->edges[i].caller + 1]++;
  for (uint32_t i = 0; i < graph->node_count; i++)
    graph->first[i + 1] += graph->first[i];
}

/* What a caller's counts are relative to. */
static double whole(double inbound, double busiest) {
  return inbound > 0 ? inbound : busiest;
}

static void weigh(radius_graph *graph) {
  double *inbound = lab_allocate(graph->node_count, sizeof(*inbound));
  double *busiest = lab_allocate(graph->node_count, sizeof(*busiest));
  for (uint32_t i = 0; i < graph->edge_count; i++) {
    const radius_edge *edge = &graph->edges[i];
    inbound[edge->callee] += edge->calls;
    busiest[edge->caller] = fmax(busiest[edge->caller], edge->calls);
  }
  for (uint32_t i = 0; i < graph->edge_count; i++) {
    radius_edge *edge = &graph->edges[i];
    edge->weight = edge->calls > 0 ? edge->calls / whole(inbound[edge->caller],
                                                         busiest[edge->caller])
                                   : 1;
  }
  free(inbound);
  free(busiest);
}

static bool calls_others(const radius_graph *graph, uint32_t node) {
  for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++)
    if (graph->edges[i].callee != node)
      return true;
  return false;
}

static void find_outside(radius_builder *builder) {
  radius_graph *graph = &builder->graph;
  for (uint32_t i = 0; i < graph->node_count; i++)
    if (!strcmp(radius_node_name(builder->fleet, graph, i), RADIUS_OUTSIDE) &&
        calls_others(graph, i))
      graph->outside = i;
}

static void add_roots_of_outside(radius_graph *graph) {
  uint32_t user = graph->outside;
  for (uint32_t i = graph->first[user]; i < graph->first[user + 1]; i++)
    if (graph->edges[i].callee != user)
      graph->roots[graph->root_count++] = graph->edges[i].callee;
}

static void add_uncalled_roots(radius_graph *graph) {
  bool *called = lab_allocate(graph->node_count, sizeof(*called));
  for (uint32_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].caller != graph->edges[i].callee)
      called[graph->edges[i].callee] = true;
  for (uint32_t i = 0; i < graph->node_count; i++)
    if (!called[i])
      graph->roots[graph->root_count++] = i;
  free(called);
}

/* The first caller named is the first node: edges name their caller first. */
static void find_roots(radius_graph *graph) {
  graph->roots = lab_allocate(graph->node_count, sizeof(*graph->roots));
  if (graph->outside != RADIUS_NONE)
    add_roots_of_outside(graph);
  else
    add_uncalled_roots(graph);
  graph->rootless = graph->root_count == 0;
  if (graph->rootless)
    graph->roots[graph->root_count++] = 0;
}

void radius_builder_end(radius_builder *builder) {
  radius_graph *graph = &builder->graph;
  if (!graph->edge_count)
    radius_refuse(graph->place, "no calls: expected at least one edge");
  merge_duplicates(builder);
  graph->names = copy(builder->names, graph->node_count, sizeof(*graph->names));
  graph->edges = copy(builder->edges, graph->edge_count, sizeof(*graph->edges));
  index_callers(graph);
  weigh(graph);
  find_outside(builder);
  find_roots(graph);
  for (uint32_t i = 0; i < graph->node_count; i++)
    builder->local[graph->names[i]] = 0;
  radius_fleet *fleet = builder->fleet;
  fleet->graphs = radius_room(fleet->graphs, fleet->count, &fleet->capacity,
                              sizeof(*fleet->graphs));
  fleet->graphs[fleet->count++] = *graph;
  builder->graph = (radius_graph){0};
}

void radius_builder_clear(radius_builder *builder) {
  free(builder->local);
  free(builder->names);
  free(builder->edges);
  *builder = (radius_builder){0};
}
