/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[WORLD_EDGES] = {
    "/s.A/Get", "/s.B/Get", "/s.C/Get", "/s.D/Get",
    "/s.E/Get", "/s.F/Get", "/s.G/Get", "/s.H/Get",
};

const char *world_name(size_t edge) { return names[edge]; }

void world_init(world *world, uint64_t seed) {
  *world = (struct world){
      .table = eown_memory_table_create(EOWN_MEMORY_EDGES_DEFAULT,
                                        EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL),
      .random = {seed * 0x9e3779b97f4a7c15u | 1},
      .now_ms = 1000,
  };
  if (!world->table)
    abort();
  for (int i = 0; i < 16; i++)
    test_random_next(&world->random);
}

void world_clear(world *world) { eown_memory_table_destroy(world->table); }

void world_add(world *world, double rate, double power) {
  world->edges[world->edge_count++] =
      (world_edge){.rate = rate, .power = power};
}

static bool happens(world *world, double rate) {
  return (double)(test_random_next(&world->random) >> 11) * 0x1p-53 < rate;
}

static eown_edge edge_name(size_t edge) {
  return (eown_edge){WORLD_INBOUND, strlen(WORLD_INBOUND), names[edge],
                     strlen(names[edge])};
}

/* What failed, and whether the inbound does. */
static bool play(world *world, bool *failed) {
  bool inbound = happens(world, world->own);
  for (size_t i = 0; i < world->edge_count; i++) {
    const world_edge *edge = &world->edges[i];
    failed[i] = edge->with_first ? failed[0] : happens(world, edge->rate);
    if (failed[i] && happens(world, edge->power))
      inbound = true;
  }
  return inbound;
}

static void tell(const world *world, const bool *failed, bool inbound) {
  eown_edge_end ends[WORLD_EDGES];
  eown_inbound_end end = {.inbound = WORLD_INBOUND,
                          .inbound_length = strlen(WORLD_INBOUND),
                          .failed = inbound,
                          .edges = ends};
  for (size_t i = 0; i < world->edge_count; i++)
    if (failed[i])
      ends[end.edge_count++] =
          (eown_edge_end){.edge = edge_name(i), .failed = true};
  eown_memory memory = eown_memory_table_view(world->table);
  if (inbound || end.edge_count > 0)
    memory.learn(memory.self, &end, world->now_ms);
  else if (eown_memory_sample(world->table))
    eown_memory_table_served(world->table, WORLD_INBOUND, strlen(WORLD_INBOUND),
                             world->now_ms);
}

bool world_step(world *world) {
  bool failed[WORLD_EDGES] = {false};
  bool inbound = play(world, failed);
  tell(world, failed, inbound);
  world->now_ms += world->step_ms;
  return failed[0];
}

void world_until_failure(world *world) {
  for (uint64_t i = 0; i < 100000000u && !world_step(world); i++)
    ;
}

eown_edge_kind world_kind(const world *world, size_t edge) {
  eown_memory memory = eown_memory_table_view(world->table);
  eown_edge name = edge_name(edge);
  return memory.kind(memory.self, &name, world->now_ms);
}

typedef struct search {
  const char *name;
  eown_memory_entry *entry;
  bool found;
} search;

static void look(void *user, const eown_memory_entry *entry) {
  search *self = user;
  if (entry->edge.outbound_length != strlen(self->name) ||
      memcmp(entry->edge.outbound, self->name, strlen(self->name)) != 0)
    return;
  *self->entry = *entry;
  self->entry->edge = (eown_edge){0};
  self->found = true;
}

bool world_entry(const world *world, size_t edge, eown_memory_entry *entry) {
  search self = {names[edge], entry, false};
  eown_memory_each(world->table, world->now_ms, look, &self);
  return self.found;
}
