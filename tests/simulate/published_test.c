/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* eown-lab published --simulated. */
#include "gtest_c.h"
#include "run.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* The values of a run with --json; the caller owns the object. */
static json_t *published(const char *const *words) {
  const char *all[E2E_WORDS_MAX] = {EOWN_LAB, "published", "--json",
                                    "--node-binary", EOWN_NODE};
  e2e_run run;
  e2e_words_add(all, words);
  e2e_run_words(all, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *object = json_loads(run.output, 0, NULL);
  CHECK_NOT_NULL(object);
  e2e_run_clear(&run);
  return object;
}

/* Every published figure, without a process. */
EOWN_TEST(SimulatePublished, AllOfThem) {
  json_t *object = published(E2E_WORDS("--simulated=only"));
  json_t *value;
  size_t index;
  CHECK_EQ(80, json_array_size(json_object_get(object, "scenarios")));
  json_array_foreach(json_object_get(object, "scenarios"), index, value) {
    TEST_TRACE("%s", json_string_value(json_object_get(value, "name")));
    CHECK_TRUE(json_is_true(json_object_get(value, "pass")));
    CHECK_TRUE(json_is_real(json_object_get(value, "simulated")));
    CHECK_TRUE(json_is_null(json_object_get(value, "measured")));
  }
  json_decref(object);
}

/* Real processes and the simulation in one run: the same loads. */
static void check_side_by_side(const char *name, size_t values) {
  TEST_TRACE("%s", name);
  json_t *object = published(E2E_WORDS("--simulated", "--only", name));
  json_t *value;
  size_t index;
  CHECK_EQ(values, json_array_size(json_object_get(object, "scenarios")));
  json_array_foreach(json_object_get(object, "scenarios"), index, value) {
    double simulated = json_real_value(json_object_get(value, "simulated"));
    double measured = json_real_value(json_object_get(value, "measured"));
    CHECK_TRUE(json_is_real(json_object_get(value, "measured")));
    CHECK_NEAR(simulated, measured, 0.02 * fmax(simulated, 1));
  }
  json_decref(object);
}

EOWN_TEST(SimulatePublished, BesideRealProcesses) {
  check_side_by_side("stock retries", 7);
  check_side_by_side("10 % budget and ownership", 7);
  check_side_by_side("stock node B", 4);
  check_side_by_side("context drop at C", 6);
  check_side_by_side("observe", 8);
}

/* Without the option everything is as it was. */
EOWN_TEST(SimulatePublished, NotAskedFor) {
  json_t *object = published(E2E_WORDS("--only", "nobody with retries"));
  json_t *value = json_array_get(json_object_get(object, "scenarios"), 0);
  CHECK_TRUE(json_is_real(json_object_get(value, "measured")));
  CHECK_TRUE(json_is_null(json_object_get(value, "simulated")));
  json_decref(object);
}

EOWN_TEST(SimulatePublished, BadOptions) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "published", "--simulated=all"), &run);
  CHECK_EQ(2, run.status);
  CHECK_CONTAINS("--simulated: 'all' is not valid: expected nothing or only",
                 run.errors);
  e2e_run_clear(&run);
  e2e_run_words(E2E_WORDS(EOWN_LAB, "published", "--only", "radius"), &run);
  CHECK_EQ(2, run.status);
  CHECK_CONTAINS("--only: 'radius' is not valid", run.errors);
  e2e_run_clear(&run);
}
