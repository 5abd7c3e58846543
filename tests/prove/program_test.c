/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* eown-lab prove as a program. */
#include "lab/simulate/retry_by.h"

#include "gtest_c.h"
#include "run.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

EOWN_TEST(ProveProgram, Json) {
  e2e_run run;
  e2e_run_words(
      E2E_WORDS(EOWN_LAB, "prove", "--services", "4", "--attempts=3", "--json"),
      &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *object = json_loads(run.output, 0, NULL);
  REQUIRE_NOT_NULL(object);
  json_int_t services = 0, attempts = 0, trees = 0, cases = 0;
  int holds = 0;
  json_t *invariants = NULL;
  CHECK_EQ(0, json_unpack(object, "{s:I,s:I,s:I,s:I,s:b,s:o}", "services",
                          &services, "attempts", &attempts, "trees", &trees,
                          "cases", &cases, "holds", &holds, "invariants",
                          &invariants));
  CHECK_EQ(4, services);
  CHECK_EQ(3, attempts);
  CHECK_EQ(8, trees);
  CHECK_TRUE(holds);
  CHECK_EQ(6, json_array_size(invariants));
  /* The cases of an invariant's roll-outs are all of them. */
  json_int_t sum = 0;
  json_t *rollouts = json_object_get(json_array_get(invariants, 0), "rollouts");
  for (size_t i = 0; i < json_array_size(rollouts); i++)
    sum += json_integer_value(
        json_object_get(json_array_get(rollouts, i), "cases"));
  CHECK_EQ(cases, sum);
  json_decref(object);
  e2e_run_clear(&run);
}

EOWN_TEST(ProveProgram, Table) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "prove", "--services", "3"), &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("what has to hold holds", run.output);
  CHECK_CONTAINS("`- B      eown, may retry, loses the context", run.output);
  CHECK_CONTAINS("710 cases: 4 call trees of up to 3 services", run.output);
  e2e_run_clear(&run);
}

/* The tables and the object say who retries, and the bound that then holds. */
EOWN_TEST(ProveProgram, RetryBy) {
  for (int by = 0; by < LAB_RETRY_BY_N; by++) {
    const char *name = lab_retry_by_names[by];
    char last[64];
    snprintf(last, sizeof(last), "2 attempts, by %s; what has to hold holds",
             name);
    e2e_run run;
    e2e_run_words(
        E2E_WORDS(EOWN_LAB, "prove", "--services=4", "--retry-by", name), &run);
    CHECK_EQ(0, run.status);
    CHECK_CONTAINS(last, run.output);
    CHECK_EQ(by != LAB_RETRY_BY_GRPC,
             strstr(run.output, "heeds neither claim nor pushback") != NULL);
    e2e_run_clear(&run);
    e2e_run_words(E2E_WORDS(EOWN_LAB, "prove", "--json", "--retry-by", name),
                  &run);
    json_t *object = json_loads(run.output, 0, NULL);
    CHECK_STREQ(name, json_string_value(json_object_get(object, "retry_by")));
    CHECK_TRUE(json_is_true(json_object_get(object, "holds")));
    json_decref(object);
    e2e_run_clear(&run);
  }
}

EOWN_TEST(ProveProgram, Help) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "prove", "--help"), &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("--retry-by=WHO", run.output);
  CHECK_CONTAINS("eown-lab prove --retry-by both", run.output);
  e2e_run_clear(&run);
}

static void check_refused(const char *argument, const char *message) {
  TEST_TRACE("%s", argument);
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "prove", argument), &run);
  CHECK_EQ(2, run.status);
  CHECK_STREQ("", run.output);
  CHECK_CONTAINS(message, run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(ProveProgram, BadOptions) {
  check_refused("--services=0", "--services: '0' is not valid: expected a "
                                "whole number from 1 to 7");
  check_refused("--services=8", "--services: '8' is not valid");
  check_refused("--services=-1", "--services: '-1' is not valid");
  check_refused("--services=2.5", "--services: '2.5' is not valid");
  check_refused("--services=", "--services: '' is not valid");
  check_refused("--attempts=1", "--attempts: '1' is not valid: expected a "
                                "whole number from 2 to 5");
  check_refused("--attempts=99999999999999999999", "--attempts: ");
  check_refused("--retry-by=eown", "--retry-by: 'eown' is not valid: expected "
                                   "one of grpc, application, both");
  check_refused("--retry-by=", "--retry-by: '' is not valid");
  check_refused("--retry-by=grpc,both", "--retry-by: 'grpc,both' is not valid");
  check_refused("more", "'more' is not valid: expected options only");
  check_refused("--nonsense", "unrecognized option '--nonsense'");
}
