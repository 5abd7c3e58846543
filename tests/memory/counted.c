/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "counted.h"

#include <stdio.h>
#include <string.h>

eown_edge counted_edge(counted_name *name, unsigned inbound,
                       unsigned outbound) {
  int in = snprintf(name->inbound, sizeof name->inbound, "/in.S/M%u", inbound);
  int out =
      snprintf(name->outbound, sizeof name->outbound, "/out.S/M%u", outbound);
  return (eown_edge){name->inbound, (size_t)in, name->outbound, (size_t)out};
}

void counted_fail(eown_memory_table *table, const eown_edge *edge,
                  bool inbound_failed, uint64_t now_ms) {
  eown_edge_end one = {.edge = *edge, .failed = true};
  eown_inbound_end end = {.inbound = edge->inbound,
                          .inbound_length = edge->inbound_length,
                          .failed = inbound_failed,
                          .edge_count = 1,
                          .edges = &one};
  eown_memory memory = eown_memory_table_view(table);
  memory.learn(memory.self, &end, now_ms);
}

void counted_fails(eown_memory_table *table, const eown_edge *edge,
                   bool inbound_failed, unsigned times, uint64_t now_ms) {
  for (unsigned i = 0; i < times; i++)
    counted_fail(table, edge, inbound_failed, now_ms);
}

eown_edge_kind counted_kind(eown_memory_table *table, const eown_edge *edge,
                            uint64_t now_ms) {
  eown_memory memory = eown_memory_table_view(table);
  return memory.kind(memory.self, edge, now_ms);
}

static void count(void *user, const eown_memory_entry *entry) {
  (void)entry;
  ++*(size_t *)user;
}

size_t counted_edges(eown_memory_table *table) {
  size_t edges = 0;
  eown_memory_each(table, 0, count, &edges);
  return edges;
}

typedef struct search {
  const eown_edge *edge;
  eown_memory_entry *entry;
  bool found;
} search;

static bool same(const char *a, size_t a_length, const char *b,
                 size_t b_length) {
  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

static void look(void *user, const eown_memory_entry *entry) {
  search *self = user;
  const eown_edge *a = self->edge, *b = &entry->edge;
  if (!same(a->inbound, a->inbound_length, b->inbound, b->inbound_length) ||
      !same(a->outbound, a->outbound_length, b->outbound, b->outbound_length))
    return;
  *self->entry = *entry;
  self->entry->edge = (eown_edge){0};
  self->found = true;
}

bool counted_find(eown_memory_table *table, const eown_edge *edge,
                  uint64_t now_ms, eown_memory_entry *entry) {
  search self = {edge, entry, false};
  eown_memory_each(table, now_ms, look, &self);
  return self.found;
}
