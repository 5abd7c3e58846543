/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_COUNTED_H
#define EOWN_TESTS_MEMORY_COUNTED_H

#include "eown/memory_table.h"

#include <stddef.h>
#include <stdint.h>

/* One edge with a name that is made up from numbers. */
typedef struct counted_name {
  char inbound[32];
  char outbound[32];
} counted_name;

eown_edge counted_edge(counted_name *name, unsigned inbound, unsigned outbound);

/* Tells the table of one failure of an edge. */
void counted_fail(eown_memory_table *table, const eown_edge *edge,
                  bool inbound_failed, uint64_t now_ms);

/* The same `times` over. */
void counted_fails(eown_memory_table *table, const eown_edge *edge,
                   bool inbound_failed, unsigned times, uint64_t now_ms);

eown_edge_kind counted_kind(eown_memory_table *table, const eown_edge *edge,
                            uint64_t now_ms);

/* How many edges the table holds. */
size_t counted_edges(eown_memory_table *table);

/* Finds an edge; false where the table has it not. The entry's names are not
 * set. */
bool counted_find(eown_memory_table *table, const eown_edge *edge,
                  uint64_t now_ms, eown_memory_entry *entry);

#endif /* EOWN_TESTS_MEMORY_COUNTED_H */
