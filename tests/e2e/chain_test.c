/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"
#include "gtest_c.h"
#include "lab.h"

EOWN_TEST(Chain, EveryRowHolds) {
  static const e2e_variant plain = {.name = "plain"};
  for (size_t i = 0; i < e2e_rows_n; i++)
    e2e_row_check(&e2e_rows[i], &plain);
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
