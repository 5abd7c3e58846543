/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "published.h"
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FIXED_TOLERANCE 0.02 /* of the expected value */

lab_value *lab_values_add(lab_values *values, const char *group,
                          double expected) {
  lab_value *items =
      realloc(values->items, (values->count + 1) * sizeof(*items));
  if (!items)
    lab_fail("out of memory");
  values->items = items;
  lab_value *value = &items[values->count++];
  *value = (lab_value){.group = group,
                       .expected = expected,
                       .measured = NAN,
                       .simulated = NAN,
                       .tolerance = FIXED_TOLERANCE * expected};
  return value;
}

static void expect_nodes(const lab_scenario *scenario, const char *format,
                         const double *expected, lab_values *values) {
  for (size_t i = 0; i < scenario->nodes; i++) {
    lab_value *value = lab_values_add(values, scenario->name, expected[i]);
    snprintf(value->label, sizeof(value->label), "%s%c", format,
             (int)('A' + i));
  }
}

static void expect_halved(const lab_scenario *scenario, lab_values *values) {
  for (size_t i = 2; i < scenario->nodes; i++) {
    lab_value *value = lab_values_add(values, scenario->name, 0.5);
    snprintf(value->label, sizeof(value->label), "%c / stock %c",
             (int)('A' + i), (int)('A' + i));
  }
}

/* With e the error rate and B the budget, both as shares, the caller sees
 * e - min(e, B)(1 - e). One request's variance: within the budget each error is
 * the failure of two independent tries, e^2. Above it, the failed first tries
 * vary by e(1 - e), and so does each of the B retries. */
static void expect_errors(const lab_scenario *scenario, lab_values *values) {
  double e = scenario->error_rate, B = scenario->budget / 100;
  double n = LAB_RANDOM_REQUESTS;
  double expected = e - fmin(e, B) * (1 - e);
  double variance = e <= B ? expected * (1 - expected) : e * (1 - e) * (1 + B);
  lab_value *value = lab_values_add(values, scenario->name, expected * 100);
  value->tolerance = lab_rate_tolerance(expected, variance, n) * 100;
  snprintf(value->label, sizeof(value->label), "at %g %%", e * 100);
}

void lab_scenario_expect(const lab_scenario *scenario, lab_values *values) {
  if (scenario->kind == LAB_SCENARIO_AVAILABILITY) {
    expect_errors(scenario, values);
    return;
  }
  expect_nodes(scenario, "", scenario->served, values);
  if (scenario->kind == LAB_SCENARIO_OBSERVED)
    expect_nodes(scenario, "stops at ", scenario->stopped, values);
  if (scenario->kind == LAB_SCENARIO_HALVED)
    expect_halved(scenario, values);
}

static bool is_as_published(const lab_value *value, double found) {
  double low = value->at_most ? -HUGE_VAL : value->expected - value->tolerance;
  double high = value->expected + value->tolerance;
  return isnan(found) || (found >= low - 1e-9 && found <= high + 1e-9);
}

bool lab_value_passes(const lab_value *value) {
  return is_as_published(value, value->measured) &&
         is_as_published(value, value->simulated);
}
