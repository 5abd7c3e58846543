/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* eown-lab simulate as a program. */
#include "gtest_c.h"
#include "run.h"

#include <jansson.h>
#include <string.h>

/* Runs it with --json; the caller owns the object. */
static json_t *simulate(const char *const *words) {
  const char *all[E2E_WORDS_MAX] = {EOWN_LAB, "simulate", "--json"};
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

static json_t *run_of(json_t *object, size_t index) {
  return json_array_get(json_object_get(object, "runs"), index);
}

EOWN_TEST(SimulateProgram, Json) {
  json_t *object = simulate(E2E_WORDS("--requests", "1000"));
  REQUIRE_NOT_NULL(object);
  const char *failing = NULL, *worst = NULL;
  json_int_t services = 0, edges = 0, requests = 0, hops = 0, unclaimed = 0;
  double availability = 1, wasted = 0, load = 0, most = 0;
  CHECK_EQ(0, json_unpack(object, "{s:I,s:I,s:s}", "services", &services,
                          "edges", &edges, "failing", &failing));
  CHECK_EQ(7, services);
  CHECK_EQ(6, edges);
  CHECK_STREQ("G", failing);
  CHECK_EQ(2, json_array_size(json_object_get(object, "runs")));
  json_t *stock = run_of(object, 0), *owned = run_of(object, 1);
  CHECK_EQ(0, json_unpack(stock, "{s:I,s:I,s:f,s:f,s:{s:f,s:f,s:s}}",
                          "requests", &requests, "hops", &hops, "availability",
                          &availability, "wasted", &wasted, "load", "failing",
                          &load, "max", &most, "max_service", &worst));
  CHECK_EQ(1000, requests);
  CHECK_EQ(127000, hops);
  CHECK_NEAR(0, availability, 0);
  CHECK_NEAR(1, wasted, 0);
  CHECK_NEAR(64, load, 0);
  CHECK_NEAR(64, most, 0);
  CHECK_STREQ("G", worst);
  CHECK_EQ(0, json_unpack(owned, "{s:I,s:{s:I}}", "hops", &hops, "stopped",
                          "unclaimed", &unclaimed));
  CHECK_EQ(8000, hops);
  CHECK_EQ(5000, unclaimed);
  json_t *service = json_array_get(json_object_get(owned, "services"), 6);
  CHECK_EQ(2000, json_integer_value(json_object_get(service, "served")));
  CHECK_EQ(1000, json_integer_value(json_object_get(service, "first")));
  CHECK_EQ(1000, json_integer_value(json_object_get(service, "retries")));
  json_decref(object);
}

/* What does not depend on the machine. */
static void drop_effort(json_t *object) {
  for (size_t i = 0; i < 5; i++)
    json_object_del(run_of(object, i), "effort");
}

EOWN_TEST(SimulateProgram, SameResultOnAnyThreads) {
  static const char *const counts[] = {"--threads=1", "--threads=2",
                                       "--threads=5"};
  json_t *first = NULL;
  for (size_t i = 0; i < 3; i++) {
    json_t *object = simulate(E2E_WORDS(
        "--services=300", "--fan-out=1.5", "--fail-all=0.02", "--correlated",
        "--eown-share=90", "--drop-share=5", "--no-retry-share=10",
        "--fail-open-share=10", "--memory=on", "--requests=20000",
        "--mode=stock,budget,throttle,chain_stop,ownership", counts[i]));
    REQUIRE_NOT_NULL(object);
    drop_effort(object);
    if (first == NULL)
      first = json_incref(object);
    CHECK_TRUE(json_equal(first, object));
    json_decref(object);
  }
  json_decref(first);
}

EOWN_TEST(SimulateProgram, MetastableJson) {
  json_t *object = simulate(E2E_WORDS("--scenario", "metastable"));
  REQUIRE_NOT_NULL(object);
  json_t *stock = json_object_get(run_of(object, 0), "curve");
  json_t *owned = json_object_get(run_of(object, 4), "curve");
  CHECK_TRUE(json_is_null(json_object_get(stock, "recovered_seconds")));
  CHECK_TRUE(json_real_value(json_object_get(owned, "recovered_seconds")) > 0);
  CHECK_EQ(60, json_array_size(json_object_get(stock, "load")));
  CHECK_EQ(60, json_array_size(json_object_get(owned, "queue")));
  json_decref(object);
}

EOWN_TEST(SimulateProgram, RetryByJson) {
  static const struct {
    const char *name;
    double stock;
    int multiplied;
  } rows[] = {{"grpc", 8, 0}, {"application", 8, 0}, {"both", 64, 100}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    json_t *object = simulate(E2E_WORDS("--services=4", "--requests=100",
                                        "--retry-by", rows[i].name));
    REQUIRE_NOT_NULL(object);
    CHECK_STREQ(rows[i].name,
                json_string_value(json_object_get(object, "retry_by")));
    double stock = 0, owned = 0;
    json_int_t multiplied = -1;
    CHECK_EQ(0, json_unpack(run_of(object, 0), "{s:{s:f}}", "load", "failing",
                            &stock));
    CHECK_EQ(0, json_unpack(run_of(object, 1), "{s:{s:f},s:{s:I}}", "load",
                            "failing", &owned, "stopped", "multiplied",
                            &multiplied));
    CHECK_NEAR(rows[i].stock, stock, 0);
    CHECK_NEAR(2, owned, 0);
    CHECK_EQ(rows[i].multiplied, multiplied);
    json_decref(object);
  }
}

static void check_table(const char *const *words, const char *part) {
  const char *all[E2E_WORDS_MAX] = {EOWN_LAB, "simulate"};
  e2e_run run;
  e2e_words_add(all, words);
  e2e_run_words(all, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  CHECK_CONTAINS(part, run.output);
  e2e_run_clear(&run);
}

EOWN_TEST(SimulateProgram, Tables) {
  check_table(E2E_WORDS("--requests=100"),
              "load       A  B  C  D   E   F   G\n"
              "stock      1  2  4  8  16  32  64\n"
              "ownership  1  1  1  1   1   1   2\n");
  check_table(E2E_WORDS("--requests=100", "--services=4", "--retry-by=both"),
              "load       A  B   C   D\n"
              "stock      1  4  16  64\n"
              "ownership  1  1   1   2\n"
              "\n4 services, 3 edges; 2 attempts, by both; ");
  check_table(E2E_WORDS("--scenario=incident", "--requests=10000"), "2.35");
  check_table(E2E_WORDS("--scenario=metastable"), "never");
  check_table(E2E_WORDS("--services=20000", "--depth=12", "--requests=5000"),
              "20000 services, ");
}

/* One service that nobody calls, and one that never fails. */
EOWN_TEST(SimulateProgram, SmallFleets) {
  check_table(E2E_WORDS("--services=1", "--requests=10"),
              "1 services, 0 edges");
  check_table(E2E_WORDS("--services=2", "--fail=B=0", "--requests=10"),
              "100 %");
  check_table(E2E_WORDS("--services=2", "--attempts=1", "--requests=10"),
              "0 %");
}
