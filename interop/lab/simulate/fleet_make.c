/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fleet.h"

#include "lab/base/failure.h"

#include <stdlib.h>

/* The first service of a level; of the level after the last: their
 * count. */
static uint32_t level_start(const lab_shape *shape, uint32_t level) {
  if (level == 0)
    return 0;
  if (level >= shape->depth)
    return shape->services;
  uint64_t others = shape->services - 1, levels = shape->depth - 1;
  return 1 + (uint32_t)(others * (level - 1) / levels);
}

static uint32_t level_width(const lab_shape *shape, uint32_t level) {
  return level_start(shape, level + 1) - level_start(shape, level);
}

static uint32_t callees_of(const lab_shape *shape, uint32_t level) {
  if (level + 1 >= shape->depth)
    return 0;
  uint32_t width = level_width(shape, level + 1);
  bool all = level == 0 || shape->callees > width;
  return all ? width : shape->callees;
}

/* The first callee is at the service's own place in the next level, so that
 * everybody is called by somebody; the others are drawn from those that are not
 * taken: a step along the level that has no divisor in common with its width
 * visits each place once. */
static uint32_t step_of(lab_random *random, uint32_t width) {
  uint32_t step = 1 + lab_random_below(random, width);
  for (;; step++) {
    uint32_t a = width, b = step;
    while (b != 0) {
      uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1)
      return step;
  }
}

static void add_edges(lab_fleet *fleet, const lab_shape *shape, uint32_t level,
                      uint32_t place, lab_random *random, double *weights) {
  uint32_t service = level_start(shape, level) + place;
  uint32_t next = level_start(shape, level + 1);
  uint32_t width = level_width(shape, level + 1);
  uint32_t n = callees_of(shape, level);
  uint64_t at = (uint64_t)place * width / level_width(shape, level);
  uint32_t step = level == 0 ? 1 : step_of(random, width);
  fleet->services[service].edges = n;
  for (uint32_t i = 0; i < n; i++) {
    fleet->edges[fleet->edge_count + i].callee =
        next + (uint32_t)((at + (uint64_t)i * step) % width);
    weights[i] = 1.0 / (i + 1);
  }
  lab_fleet_set_calls(&fleet->services[service], shape->fan_out);
  lab_fleet_weigh(fleet, service, weights);
  if (n <= shape->fan_out)
    lab_fleet_call_each(fleet, service);
  fleet->edge_count += lab_fleet_line(n);
}

static size_t edges_at_most(const lab_shape *shape) {
  size_t edges = 0;
  for (uint32_t level = 0; level < shape->depth; level++)
    edges += (size_t)level_width(shape, level) *
             lab_fleet_line(callees_of(shape, level));
  return edges;
}

void lab_fleet_make(lab_fleet *fleet, const lab_shape *shape) {
  lab_random random;
  lab_random_seed(&random, shape->seed, 0);
  *fleet = (lab_fleet){.count = shape->services, .depth = shape->depth};
  fleet->services = lab_allocate(fleet->count, sizeof(*fleet->services));
  fleet->edges =
      lab_allocate_lines(edges_at_most(shape) + 1, sizeof(*fleet->edges));
  double *weights = lab_allocate(shape->services, sizeof(*weights));
  for (uint32_t level = 0; level < shape->depth; level++)
    for (uint32_t i = 0; i < level_width(shape, level); i++) {
      lab_fleet_service *service =
          &fleet->services[level_start(shape, level) + i];
      service->eown = true;
      service->first = fleet->edge_count;
      if (callees_of(shape, level) > 0)
        add_edges(fleet, shape, level, i, &random, weights);
    }
  free(weights);
}
