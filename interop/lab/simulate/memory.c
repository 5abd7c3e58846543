/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "lab/base/failure.h"

#include "eown/memory_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t lab_fleet_method(uint32_t service, char text[LAB_METHOD_NAME]) {
  return (size_t)snprintf(text, LAB_METHOD_NAME, "/s%u/Call", service);
}

/* The names of an edge, for as long as one call to the memory. */
typedef struct names {
  char inbound[LAB_METHOD_NAME];
  char outbound[LAB_METHOD_NAME];
} names;

static eown_edge name_edge(const lab_replica *replica, uint32_t caller,
                           uint32_t edge, names *names) {
  uint32_t callee = replica->model->fleet->edges[edge].callee;
  eown_edge named = {.inbound = names->inbound, .outbound = names->outbound};
  named.inbound_length = lab_fleet_method(caller, names->inbound);
  named.outbound_length = lab_fleet_method(callee, names->outbound);
  return named;
}

eown_edge_kind lab_hop_edge_kind(const lab_replica *replica, uint32_t caller,
                                 uint32_t edge) {
  const eown_memory *memory = &replica->memory;
  names names;
  if (!memory->kind)
    return EOWN_EDGE_UNKNOWN;
  eown_edge named = name_edge(replica, caller, edge, &names);
  return memory->kind(memory->self, &named, replica->clock_ms);
}

static void learn_failures(lab_replica *replica, const lab_hop *hop,
                           bool failed) {
  names names[LAB_HOP_EDGES + 1];
  eown_edge_end ends[LAB_HOP_EDGES];
  for (int i = 0; i < hop->edges; i++)
    ends[i] =
        (eown_edge_end){.edge = name_edge(replica, hop->service,
                                          hop->failed_edges[i].edge, &names[i]),
                        .failed = true};
  char *inbound = names[LAB_HOP_EDGES].inbound;
  eown_inbound_end end = {.inbound = inbound,
                          .inbound_length =
                              lab_fleet_method(hop->service, inbound),
                          .failed = failed,
                          .more = hop->summary != EOWN_REASON_OWN,
                          .edge_count = hop->edges,
                          .edges = ends};
  replica->memory.learn(replica->memory.self, &end, replica->clock_ms);
}

/* The sample is drawn here, not by eown_memory_sample: that one goes by thread,
 * and results may not. */
void lab_hop_learn(lab_replica *replica, const lab_hop *hop, bool failed) {
  const lab_memory_model *source = replica->model->memory;
  const lab_fleet_service *service =
      &replica->model->fleet->services[hop->service];
  if (!service->eown || service->lost)
    return;
  if (failed || hop->edges > 0) {
    if (replica->memory.learn)
      learn_failures(replica, hop, failed);
    return;
  }
  if (!source->served || service->edges == 0 ||
      lab_random_below(&replica->random, EOWN_MEMORY_SAMPLE) != 0)
    return;
  char inbound[LAB_METHOD_NAME];
  size_t length = lab_fleet_method(hop->service, inbound);
  source->served(replica->memory_self, inbound, length, replica->clock_ms);
}

/* What the fleet says of an edge between two services of those names. */
static eown_edge_kind known_kind(void *self, const eown_edge *edge,
                                 uint64_t now_ms) {
  const lab_fleet *fleet = self;
  uint32_t caller = (uint32_t)strtoul(edge->inbound + 2, NULL, 10);
  uint32_t callee = (uint32_t)strtoul(edge->outbound + 2, NULL, 10);
  const lab_fleet_service *service = &fleet->services[caller];
  (void)now_ms;
  for (uint32_t i = 0; i < service->edges; i++)
    if (fleet->edges[service->first + i].callee == callee)
      return fleet->edges[service->first + i].fail_open ? EOWN_EDGE_FAIL_OPEN
                                                        : EOWN_EDGE_FAIL_CLOSE;
  return EOWN_EDGE_UNKNOWN;
}

static eown_memory make_known(const lab_fleet *fleet, void **self) {
  *self = (void *)(uintptr_t)fleet;
  return (eown_memory){.kind = known_kind, .self = *self};
}

static void clear_known(void *self) { (void)self; }

const lab_memory_model lab_memory_model_known = {.make = make_known,
                                                 .clear = clear_known};

static uint32_t table_edges(const lab_fleet *fleet) {
  uint32_t edges = fleet->edge_count + 16;
  return edges < EOWN_MEMORY_EDGES_MAX ? edges : EOWN_MEMORY_EDGES_MAX;
}

static eown_memory make_table(const lab_fleet *fleet, void **self) {
  eown_memory_table *table = eown_memory_table_create(
      table_edges(fleet), EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  if (!table)
    lab_fail("out of memory");
  *self = table;
  return eown_memory_table_view(table);
}

static void served_table(void *self, const char *inbound, size_t length,
                         uint64_t now_ms) {
  eown_memory_table_served(self, inbound, length, now_ms);
}

static void clear_table(void *self) { eown_memory_table_destroy(self); }

const lab_memory_model lab_memory_model_learns = {
    .make = make_table, .served = served_table, .clear = clear_table};
