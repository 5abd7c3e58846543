/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "lab/base/failure.h"
#include "lab/base/table.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdlib.h>

static void add_age(lab_table *table, uint64_t ms) {
  uint64_t seconds = ms / 1000;
  if (seconds < 120)
    lab_table_cell(table, "%" PRIu64 " s", seconds);
  else if (seconds < 7200)
    lab_table_cell(table, "%" PRIu64 " min", seconds / 60);
  else
    lab_table_cell(table, "%" PRIu64 " h", seconds / 3600);
}

static void add_row(lab_table *table, const lab_memory_edge *edge) {
  const eown_memory_entry *entry = &edge->entry;
  bool pinned = entry->pinned != EOWN_EDGE_UNKNOWN;
  lab_table_cell(table, "%s > %s", edge->inbound, edge->outbound);
  lab_table_cell(table, "%.0f of %.0f", entry->together, entry->failures);
  lab_table_cell(table, "%.1f %%", 100 * entry->base_rate);
  lab_table_cell(table, "%s", lab_memory_kind(entry->kind));
  lab_table_cell(table, "%.4f", entry->confidence);
  lab_table_cell(table, "%s", pinned ? lab_memory_kind(entry->pinned) : "-");
  add_age(table, entry->age_ms);
}

void lab_memory_print_table(const lab_memory *memory) {
  static const char *const titles[] = {"inbound > outbound",
                                       "inbound failed too",
                                       "base rate",
                                       "verdict",
                                       "confidence",
                                       "pin",
                                       "age"};
  lab_table table;
  lab_table_init(&table, 7);
  for (size_t i = 0; i < 7; i++)
    lab_table_cell(&table, "%s", titles[i]);
  for (size_t i = 0; i < memory->count; i++)
    add_row(&table, &memory->edges[i]);
  lab_table_print(&table, stdout);
}

static json_t *text(const char *bytes) {
  json_t *value = json_string(bytes);
  return value ? value : json_null(); /* not UTF-8 */
}

static json_t *edge_object(const lab_memory_edge *edge) {
  const eown_memory_entry *entry = &edge->entry;
  json_t *object = json_object();
  json_object_set_new(object, "inbound", text(edge->inbound));
  json_object_set_new(object, "outbound", text(edge->outbound));
  json_object_set_new(object, "verdict", text(lab_memory_kind(entry->kind)));
  json_object_set_new(object, "confidence", json_real(entry->confidence));
  json_object_set_new(object, "score", json_real(entry->score));
  json_object_set_new(object, "failures", json_real(entry->failures));
  json_object_set_new(object, "together", json_real(entry->together));
  json_object_set_new(object, "base_rate", json_real(entry->base_rate));
  json_object_set_new(object, "pin",
                      entry->pinned == EOWN_EDGE_UNKNOWN
                          ? json_null()
                          : text(lab_memory_kind(entry->pinned)));
  json_object_set_new(object, "age_ms",
                      json_integer((json_int_t)entry->age_ms));
  return object;
}

void lab_memory_print_json(const lab_memory *memory) {
  json_t *edges = json_array();
  for (size_t i = 0; i < memory->count; i++)
    json_array_append_new(edges, edge_object(&memory->edges[i]));
  json_t *object = json_object();
  json_object_set_new(object, "edges", edges);
  char *dump = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!dump)
    lab_fail("out of memory");
  puts(dump);
  free(dump);
  json_decref(object);
}
