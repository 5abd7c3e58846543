/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "coincidence.h"

#include "lab/base/failure.h"
#include "lab/base/table.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdlib.h>

static void add_row(lab_table *table, const char *name,
                    const lab_coincidence_phase *phase) {
  if (phase->requests == 0)
    return;
  lab_table_cell(table, "%s", name);
  lab_table_cell(table, "%" PRIu64, phase->requests);
  lab_table_cell(table, "%" PRIu64, phase->own_errors);
  lab_table_cell(table, "%" PRIu64, phase->wrongly_unclaimed);
  lab_table_cell(table, "%.2f %%", 100 * lab_coincidence_share(phase));
  lab_table_cell(table, "%" PRIu64, phase->retries_lost);
  lab_table_cell(table, "%.2f %%", 100 * lab_coincidence_availability(phase));
}

static void add_header(lab_table *table) {
  static const char *const titles[] = {
      "",      "requests",     "own errors",  "wrongly unclaimed",
      "share", "retries lost", "availability"};
  lab_table_init(table, 7);
  for (size_t i = 0; i < 7; i++)
    lab_table_cell(table, "%s", titles[i]);
}

void lab_coincidence_print_table(const lab_coincidence *coincidence,
                                 const lab_coincidence_result *result) {
  printf("R calls A with one retry; A carries on without its %zu callees, "
         "which fail at %g %%, and fails by itself at %g %%\n\n",
         coincidence->callees, 100 * coincidence->callee_rate,
         100 * coincidence->own_rate);
  lab_table table;
  add_header(&table);
  add_row(&table, "while learning", &result->learning);
  add_row(&table, coincidence->memory ? "learned" : "without memory",
          &result->measured);
  lab_table_print(&table, stdout);
  printf("\nexpected: share %.2f %%, availability %.2f %%: %s\n",
         100 * lab_coincidence_share_expected(coincidence),
         100 * lab_coincidence_availability_expected(coincidence),
         lab_coincidence_passes(coincidence, result) ? "as expected"
                                                     : "NOT AS EXPECTED");
}

static void put_phase(json_t *object, const lab_coincidence_phase *phase) {
  json_object_set_new(object, "own_errors",
                      json_integer((json_int_t)phase->own_errors));
  json_object_set_new(object, "wrongly_unclaimed",
                      json_integer((json_int_t)phase->wrongly_unclaimed));
  json_object_set_new(object, "share", json_real(lab_coincidence_share(phase)));
  json_object_set_new(object, "retries_lost",
                      json_integer((json_int_t)phase->retries_lost));
  json_object_set_new(object, "availability_at_caller",
                      json_real(lab_coincidence_availability(phase)));
  json_object_set_new(object, "requests",
                      json_integer((json_int_t)phase->requests));
}

void lab_coincidence_print_json(const lab_coincidence *coincidence,
                                const lab_coincidence_result *result) {
  json_t *object = json_object();
  put_phase(object, &result->measured);
  json_object_set_new(object, "memory",
                      json_string(coincidence->memory ? "on" : "off"));
  if (result->learning.requests > 0) {
    json_t *learning = json_object();
    put_phase(learning, &result->learning);
    json_object_set_new(object, "learning", learning);
  }
  json_object_set_new(object, "share_expected",
                      json_real(lab_coincidence_share_expected(coincidence)));
  json_object_set_new(
      object, "availability_expected",
      json_real(lab_coincidence_availability_expected(coincidence)));
  json_object_set_new(
      object, "passed",
      json_boolean(lab_coincidence_passes(coincidence, result)));
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
