/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/table.h"
#include "published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t group_end(const lab_values *values, size_t first) {
  size_t end = first;
  while (end < values->count &&
         !strcmp(values->items[end].group, values->items[first].group))
    end++;
  return end;
}

static bool group_passes(const lab_value *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!lab_value_passes(&items[i]))
      return false;
  return true;
}

static double expected(const lab_value *value) { return value->expected; }
static double measured(const lab_value *value) { return value->measured; }
static double simulated(const lab_value *value) { return value->simulated; }
static double tolerance(const lab_value *value) { return value->tolerance; }

static void add_row(lab_table *table, const char *title, const lab_value *items,
                    size_t count, double (*get)(const lab_value *)) {
  lab_table_cell(table, "  %s", title);
  for (size_t i = 0; i < count; i++)
    if (isnan(get(&items[i])))
      lab_table_cell(table, "-");
    else
      lab_table_cell(table, "%s%.4g",
                     get == expected && items[i].at_most ? "<= " : "",
                     get(&items[i]));
}

/* Whether any of the values has this figure. */
static bool has(const lab_value *items, size_t count,
                double (*get)(const lab_value *)) {
  for (size_t i = 0; i < count; i++)
    if (!isnan(get(&items[i])))
      return true;
  return false;
}

static void print_group(const lab_value *items, size_t count) {
  lab_table table;
  printf("%s: %s\n", items->group,
         group_passes(items, count) ? "as published" : "DIFFERS");
  lab_table_init(&table, count + 1);
  lab_table_cell(&table, "%s", "");
  for (size_t i = 0; i < count; i++)
    lab_table_cell(&table, "%s%s", lab_value_passes(&items[i]) ? "" : "! ",
                   items[i].label);
  add_row(&table, "published", items, count, expected);
  if (has(items, count, measured))
    add_row(&table, "measured", items, count, measured);
  if (has(items, count, simulated))
    add_row(&table, "simulated", items, count, simulated);
  add_row(&table, "tolerance", items, count, tolerance);
  lab_table_print(&table, stdout);
  putchar('\n');
}

void lab_values_print_tables(const lab_values *values) {
  size_t passed = 0;
  for (size_t first = 0; first < values->count;) {
    size_t end = group_end(values, first);
    print_group(values->items + first, end - first);
    first = end;
  }
  for (size_t i = 0; i < values->count; i++)
    passed += lab_value_passes(&values->items[i]);
  printf("%zu of %zu values as published\n", passed, values->count);
}

/* null for what was not looked at. */
static json_t *figure(double value) {
  return isnan(value) ? json_null() : json_real(value);
}

static json_t *value_object(const lab_value *value) {
  json_t *object = json_object();
  json_object_set_new(object, "name",
                      json_sprintf("%s: %s", value->group, value->label));
  json_object_set_new(object, "expected", json_real(value->expected));
  json_object_set_new(object, "measured", figure(value->measured));
  json_object_set_new(object, "simulated", figure(value->simulated));
  json_object_set_new(object, "at_most", json_boolean(value->at_most));
  json_object_set_new(object, "tolerance", json_real(value->tolerance));
  json_object_set_new(object, "pass", json_boolean(lab_value_passes(value)));
  return object;
}

json_t *lab_values_make_json(const lab_values *values) {
  json_t *scenarios = json_array();
  for (size_t i = 0; i < values->count; i++)
    json_array_append_new(scenarios, value_object(&values->items[i]));
  json_t *object = json_object();
  json_object_set_new(object, "scenarios", scenarios);
  return object;
}

void lab_values_print_json(const lab_values *values) {
  json_t *object = lab_values_make_json(values);
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
