/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "lab/base/failure.h"

#include "eown/snapshot.h"
#ifdef EOWN_WITH_REDIS
#include "eown/memory_redis.h"
#endif

#include <stdlib.h>
#include <string.h>

/* The table's clock: what was learned is looked at in one moment. */
#define NOW_MS 1000

const char *lab_memory_kind(eown_edge_kind kind) {
  static const char *const names[EOWN_EDGE_KIND_N] = {
      [EOWN_EDGE_UNKNOWN] = "unknown",
      [EOWN_EDGE_FAIL_CLOSE] = "fail-close",
      [EOWN_EDGE_FAIL_OPEN] = "fail-open",
  };
  return names[kind];
}

static void read_file(eown_memory_table *table, const char *path,
                      const char *service) {
  eown_snapshot_result result =
      eown_snapshot_load(table, path, service, NOW_MS);
  if (result != EOWN_SNAPSHOT_OK)
    lab_fail("%s: %s", path, eown_snapshot_text(result));
}

static void read_redis(eown_memory_table *table, const char *address,
                       const char *service, uint64_t half_life_ms) {
#ifdef EOWN_WITH_REDIS
  char message[512];
  if (!service)
    lab_fail("--service: missing: expected the name of the service whose "
             "memory is in %s",
             address);
  if (!eown_memory_share_read(table, address, service, half_life_ms, NOW_MS,
                              message, sizeof(message)))
    lab_fail("%s", message);
#else
  (void)table;
  (void)service;
  (void)half_life_ms;
  lab_fail("%s: built without Redis", address);
#endif
}

static void add(void *user, const eown_memory_entry *entry) {
  lab_memory *memory = user;
  size_t size = (memory->count + 1) * sizeof(*memory->edges);
  lab_memory_edge *edges = realloc(memory->edges, size);
  if (!edges)
    lab_fail("out of memory");
  memory->edges = edges;
  lab_memory_edge *edge = &edges[memory->count++];
  edge->entry = *entry;
  edge->inbound =
      lab_format("%.*s", (int)entry->edge.inbound_length, entry->edge.inbound);
  edge->outbound = lab_format("%.*s", (int)entry->edge.outbound_length,
                              entry->edge.outbound);
}

static int by_name(const void *a, const void *b) {
  const lab_memory_edge *left = a;
  const lab_memory_edge *right = b;
  int order = strcmp(left->inbound, right->inbound);
  return order != 0 ? order : strcmp(left->outbound, right->outbound);
}

void lab_memory_read(lab_memory *memory, const char *source,
                     const char *service, uint64_t half_life_ms) {
  *memory = (lab_memory){0};
  eown_memory_table *table =
      eown_memory_table_create(EOWN_MEMORY_EDGES_MAX, half_life_ms, NULL);
  if (!table)
    lab_fail("out of memory");
  if (strncmp(source, "redis://", 8) == 0)
    read_redis(table, source, service, half_life_ms);
  else
    read_file(table, source, service);
  eown_memory_each(table, NOW_MS, add, memory);
  eown_memory_table_destroy(table);
  if (memory->count > 0)
    qsort(memory->edges, memory->count, sizeof(*memory->edges), by_name);
}

void lab_memory_clear(lab_memory *memory) {
  for (size_t i = 0; i < memory->count; i++) {
    free(memory->edges[i].inbound);
    free(memory->edges[i].outbound);
  }
  free(memory->edges);
}
