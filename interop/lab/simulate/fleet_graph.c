/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fleet_graph.h"

#include "lab/base/failure.h"
#include "lab/radius/reader.h"
#include "lab/radius/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph and the place of a root among its roots. */
typedef struct choice {
  radius_graph *graph;
  uint32_t root;
} choice;

static choice find_root(radius_fleet *fleet, const char *path,
                        const char *name) {
  for (uint32_t i = 0; i < fleet->count; i++) {
    radius_graph *graph = &fleet->graphs[i];
    for (uint32_t j = 0; j < graph->root_count; j++)
      if (!strcmp(radius_node_name(fleet, graph, graph->roots[j]), name))
        return (choice){graph, graph->roots[j]};
  }
  fprintf(stderr,
          "eown-lab: --root: '%s' is not valid: expected a root of %s\n", name,
          path);
  exit(2);
}

static choice find_largest(radius_fleet *fleet) {
  choice best = {.graph = &fleet->graphs[0]};
  radius_walk walk = {0};
  uint32_t most = 0;
  for (uint32_t i = 1; i < fleet->count; i++)
    if (fleet->graphs[i].node_count > best.graph->node_count)
      best.graph = &fleet->graphs[i];
  for (uint32_t i = 0; i < best.graph->root_count; i++) {
    radius_walk_from(&walk, best.graph, best.graph->roots[i]);
    if (walk.count > most) {
      most = walk.count;
      best.root = best.graph->roots[i];
    }
  }
  radius_walk_clear(&walk);
  return best;
}

/* Callers by position: the walk has the callees' inbounds. */
static void count_edges(lab_fleet *fleet, const radius_walk *walk) {
  for (uint32_t i = 0; i < walk->first[walk->count]; i++)
    fleet->services[walk->inbounds[i].caller].edges++;
  for (uint32_t i = 0; i < fleet->count; i++) {
    fleet->services[i].first = fleet->edge_count;
    fleet->edge_count += lab_fleet_line(fleet->services[i].edges);
    fleet->services[i].eown = true;
  }
}

static void fill_edges(lab_fleet *fleet, const radius_walk *walk,
                       double *weights) {
  uint32_t *filled = lab_allocate(fleet->count, sizeof(*filled));
  for (uint32_t callee = 0; callee < walk->count; callee++)
    for (uint32_t i = walk->first[callee]; i < walk->first[callee + 1]; i++) {
      uint32_t caller = walk->inbounds[i].caller;
      uint32_t at = fleet->services[caller].first + filled[caller]++;
      fleet->edges[at].callee = callee;
      weights[at] = walk->graph->edges[walk->inbounds[i].edge].weight;
    }
  free(filled);
}

static void weigh(lab_fleet *fleet, const double *weights) {
  for (uint32_t i = 0; i < fleet->count; i++) {
    lab_fleet_service *service = &fleet->services[i];
    double calls = 0;
    for (uint32_t j = 0; j < service->edges; j++)
      calls += weights[service->first + j];
    if (service->edges == 0)
      continue;
    lab_fleet_set_calls(service, calls);
    lab_fleet_weigh(fleet, i, weights + service->first);
  }
}

static void copy_names(lab_fleet *fleet, const radius_walk *walk,
                       const radius_fleet *from) {
  fleet->names = lab_allocate(fleet->count, sizeof(*fleet->names));
  for (uint32_t i = 0; i < fleet->count; i++)
    fleet->names[i] =
        lab_format("%s", radius_node_name(from, walk->graph, walk->nodes[i]));
}

static uint32_t count_broken(const radius_graph *graph) {
  uint32_t broken = 0;
  for (uint32_t i = 0; i < graph->edge_count; i++)
    broken += graph->edges[i].broken;
  return broken;
}

static void convert(lab_fleet *fleet, const radius_walk *walk,
                    const radius_fleet *from) {
  *fleet = (lab_fleet){.count = walk->count};
  fleet->services = lab_allocate(fleet->count, sizeof(*fleet->services));
  count_edges(fleet, walk);
  size_t edges = (size_t)fleet->edge_count + 1;
  fleet->edges = lab_allocate_lines(edges, sizeof(*fleet->edges));
  double *weights = lab_allocate(edges, sizeof(*weights));
  fill_edges(fleet, walk, weights);
  weigh(fleet, weights);
  copy_names(fleet, walk, from);
  free(weights);
}

void lab_fleet_read(lab_fleet *fleet, const char *path, const char *root,
                    uint32_t *broken) {
  radius_fleet graphs = {0};
  radius_builder builder = {.fleet = &graphs};
  radius_walk walk = {0};
  radius_read(&builder, path, RADIUS_FORMAT_GUESS);
  choice chosen = root ? find_root(&graphs, path, root) : find_largest(&graphs);
  for (uint32_t i = 0; i < chosen.graph->edge_count; i++)
    chosen.graph->edges[i].broken = false;
  radius_walk_from(&walk, chosen.graph, chosen.root);
  *broken = count_broken(chosen.graph);
  convert(fleet, &walk, &graphs);
  radius_walk_clear(&walk);
  radius_builder_clear(&builder);
  radius_fleet_clear(&graphs);
}
