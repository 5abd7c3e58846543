/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The table of rows, and what some rows show beyond it. */
#include "chain.h"
#include "gtest_c.h"
#include "lab.h"

static const e2e_variant plain = {.name = "plain"};

EOWN_TEST(Chain, EveryRowHolds) {
  for (size_t i = 0; i < e2e_rows_n; i++)
    e2e_row_check(&e2e_rows[i], &plain);
}

static json_t *run(const char *name) {
  return e2e_lab_chain(e2e_requests(), e2e_row_find(name)->options, NULL);
}

EOWN_TEST(Chain, UnreachableCalleeIsAFailureOfThisSide) {
  json_t *json = run("D killed");
  REQUIRE_NOT_NULL(json);
  int64_t requests = e2e_requests();
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "eown.unreached"));
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "eown.local"));
  CHECK_EQ(0, e2e_node_integer(json, 'B', "eown.local"));
  CHECK_TRUE(json_is_true(e2e_json_find(json, "nodes.3.killed")));
  json_decref(json);
}

EOWN_TEST(Chain, UnreachableCalleeMayBeClaimed) {
  json_t *json = run("own_unreachable");
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(2 * (int64_t)e2e_requests(),
           e2e_node_integer(json, 'C', "eown.sent_unreachable"));
  json_decref(json);
}

EOWN_TEST(Chain, DroppedContextIsCountedWhereTheCallIsMade) {
  json_t *json = run("context drop at C");
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(2 * (int64_t)e2e_requests(),
           e2e_node_integer(json, 'C', "eown.context_drops"));
  CHECK_EQ(0, e2e_node_integer(json, 'B', "eown.context_drops"));
  json_decref(json);
}

EOWN_TEST(Chain, FailOpenFailureIsCoincidental) {
  json_t *json = run("fail-open");
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(2 * (int64_t)e2e_requests(),
           e2e_node_integer(json, 'C', "eown.sent_coincidental"));
  json_decref(json);
}

EOWN_TEST(Chain, FailOpenCallerCarriesOn) {
  int64_t requests = e2e_requests();
  json_t *json =
      e2e_lab_chain(e2e_requests(), E2E_WORDS("--fail-open", "C-D"), NULL);
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(requests, e2e_json_integer(json, "root.ok"));
  CHECK_EQ(0, e2e_json_integer(json, "root.errors"));
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "served"));
  CHECK_EQ(2 * requests, e2e_node_integer(json, 'D', "served"));
  CHECK_EQ(0, e2e_node_integer(json, 'C', "claims_sent.claimed"));
  CHECK_EQ(0, e2e_node_integer(json, 'C', "claims_sent.unclaimed"));
  json_decref(json);
}

EOWN_TEST(Chain, BudgetStopsAreCounted) {
  json_t *json = run("budget");
  REQUIRE_NOT_NULL(json);
  int64_t requests = e2e_requests();
  int64_t retries = e2e_node_integer(json, 'D', "served") - requests;
  CHECK_EQ(requests - retries,
           e2e_node_integer(json, 'C', "retries_stopped.budget"));
  CHECK_EQ(0, e2e_node_integer(json, 'B', "retries_stopped.budget"));
  json_decref(json);
}
