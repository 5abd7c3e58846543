/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fleet.h"

#include "lab/base/failure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lab_fleet_set_calls(lab_fleet_service *service, double calls) {
  double whole = floor(calls);
  service->calls = (uint32_t)whole;
  service->more_calls = (uint32_t)((calls - whole) * 4294967295.0);
}

void lab_fleet_call_each(lab_fleet *fleet, uint32_t service) {
  lab_fleet_service *own = &fleet->services[service];
  own->each = true;
  lab_fleet_set_calls(own, own->edges);
  for (uint32_t i = own->first; i < own->first + own->edges; i++) {
    fleet->edges[i].other = i;
    fleet->edges[i].cut = UINT32_MAX;
  }
}

/* Vose: every edge gets a share of 1/n; what a light edge leaves free is filled
 * by a heavy one. `scaled` are the weights over their mean. */
static void fill_aliases(lab_fleet_edge *edges, uint32_t first, uint32_t n,
                         double *scaled, uint32_t *light, uint32_t *heavy) {
  uint32_t lights = 0, heavies = 0;
  for (uint32_t i = 0; i < n; i++)
    if (scaled[i] < 1)
      light[lights++] = i;
    else
      heavy[heavies++] = i;
  while (lights > 0 && heavies > 0) {
    uint32_t small = light[--lights], big = heavy[heavies - 1];
    edges[small].cut = (uint32_t)(scaled[small] * 4294967295.0);
    edges[small].other = first + big;
    scaled[big] -= 1 - scaled[small];
    if (scaled[big] < 1) {
      heavies--;
      light[lights++] = big;
    }
  }
}

void lab_fleet_weigh(lab_fleet *fleet, uint32_t service,
                     const double *weights) {
  uint32_t first = fleet->services[service].first;
  uint32_t n = fleet->services[service].edges;
  double *scaled = lab_allocate(n, sizeof(*scaled));
  uint32_t *lists = lab_allocate((size_t)n * 2, sizeof(*lists));
  double sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += weights[i];
  for (uint32_t i = 0; i < n; i++) {
    scaled[i] = weights[i] * n / sum;
    fleet->edges[first + i].cut = UINT32_MAX;
    fleet->edges[first + i].other = first + i;
  }
  fill_aliases(fleet->edges + first, first, n, scaled, lists, lists + n);
  free(scaled);
  free(lists);
}

const char *lab_fleet_name(const lab_fleet *fleet, uint32_t service,
                           char text[LAB_FLEET_NAME]) {
  if (fleet->names)
    snprintf(text, LAB_FLEET_NAME, "%s", fleet->names[service]);
  else if (fleet->count <= 26)
    snprintf(text, LAB_FLEET_NAME, "%c", (int)('A' + service));
  else
    snprintf(text, LAB_FLEET_NAME, "s%u", service);
  return text;
}

uint32_t lab_fleet_find(const lab_fleet *fleet, const char *name) {
  char text[LAB_FLEET_NAME];
  for (uint32_t i = 0; i < fleet->count; i++)
    if (!strcmp(lab_fleet_name(fleet, i, text), name))
      return i;
  return LAB_FLEET_NONE;
}

/* Levels by the longest path. */
static uint32_t *find_levels(const lab_fleet *fleet) {
  uint32_t *levels = lab_allocate(fleet->count, sizeof(*levels));
  for (uint32_t i = 0; i < fleet->count; i++) {
    const lab_fleet_service *service = &fleet->services[i];
    for (uint32_t j = 0; j < service->edges; j++) {
      uint32_t callee = fleet->edges[service->first + j].callee;
      if (levels[callee] <= levels[i])
        levels[callee] = levels[i] + 1;
    }
  }
  return levels;
}

uint32_t lab_fleet_deepest(const lab_fleet *fleet) {
  uint32_t *levels = find_levels(fleet);
  uint32_t deepest = 0;
  for (uint32_t i = 1; i < fleet->count; i++)
    if (levels[i] > levels[deepest])
      deepest = i;
  free(levels);
  return deepest;
}

/* Each kind of gap has luck of its own. */
static bool has_gap(uint64_t seed, unsigned kind, uint32_t number,
                    double share) {
  uint64_t bits = lab_random_mix(seed ^ lab_random_mix(number) ^
                                 lab_random_mix(UINT64_MAX - kind));
  return lab_chance_holds(lab_chance_of(share), bits >> 32);
}

void lab_fleet_set_gaps(lab_fleet *fleet, const lab_gaps *gaps, uint64_t seed) {
  for (uint32_t i = 0; i < fleet->count; i++) {
    fleet->services[i].eown = !has_gap(seed, 1, i, gaps->no_eown);
    fleet->services[i].lost = has_gap(seed, 2, i, gaps->lost);
  }
  for (uint32_t i = 0; i < fleet->edge_count; i++) {
    fleet->edges[i].no_retry = has_gap(seed, 3, i, gaps->no_retry);
    fleet->edges[i].fail_open = has_gap(seed, 4, i, gaps->fail_open);
  }
}

uint32_t lab_fleet_count_edges(const lab_fleet *fleet) {
  uint32_t edges = 0;
  for (uint32_t i = 0; i < fleet->count; i++)
    edges += fleet->services[i].edges;
  return edges;
}

void *lab_allocate_lines(size_t count, size_t size) {
  size_t bytes = (count * size + 63) / 64 * 64;
  void *memory = aligned_alloc(64, bytes);
  if (!memory)
    lab_fail("out of memory");
  return memset(memory, 0, bytes);
}

void lab_fleet_clear(lab_fleet *fleet) {
  for (uint32_t i = 0; fleet->names && i < fleet->count; i++)
    free(fleet->names[i]);
  free(fleet->names);
  free(fleet->services);
  free(fleet->edges);
  *fleet = (lab_fleet){0};
}
