/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "lab/base/failure.h"
#include "lab/base/table.h"

#include <jansson.h>

#include <inttypes.h>

static void add_age(lab_table *table, uint64_t ms) {
  uint64_t seconds = ms / 1000;
  if (seconds < 120)
    lab_table_cell(table, "%" PRIu64 " s", seconds);
  else if (seconds < 7200)
    lab_table_cell(table, "%" PRIu64 " min", seconds / 60);
  else
    lab_table_cell(table, "%" PRIu64 " h", seconds / 3600);
}

static const char *text(const json_t *edge, const char *key) {
  return json_string_value(json_object_get(edge, key));
}

static double number(const json_t *edge, const char *key) {
  return json_number_value(json_object_get(edge, key));
}

static void add_row(lab_table *table, const json_t *edge) {
  const char *pin = text(edge, "pin");
  const json_t *age = json_object_get(edge, "age_ms");
  lab_table_cell(table, "%s > %s", text(edge, "inbound"),
                 text(edge, "outbound"));
  lab_table_cell(table, "%.0f of %.0f", number(edge, "together"),
                 number(edge, "failures"));
  lab_table_cell(table, "%.1f %%", 100 * number(edge, "base_rate"));
  lab_table_cell(table, "%s", text(edge, "verdict"));
  lab_table_cell(table, "%.4f", number(edge, "confidence"));
  lab_table_cell(table, "%s", pin ? pin : "-");
  add_age(table, (uint64_t)json_integer_value(age));
}

void lab_memory_print_table(const char *json) {
  static const char *const titles[] = {"inbound > outbound",
                                       "inbound failed too",
                                       "base rate",
                                       "verdict",
                                       "confidence",
                                       "pin",
                                       "age"};
  lab_table table;
  size_t i;
  const json_t *edge;
  json_t *object = json_loads(json, JSON_ALLOW_NUL, NULL);
  if (!object)
    lab_fail("out of memory");
  lab_table_init(&table, 7);
  for (i = 0; i < 7; i++)
    lab_table_cell(&table, "%s", titles[i]);
  json_array_foreach(json_object_get(object, "edges"), i, edge)
      add_row(&table, edge);
  lab_table_print(&table, stdout);
  json_decref(object);
}
