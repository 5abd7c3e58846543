/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

#include <math.h>
#include <string.h>

/* The published figures: a chain of four, the last service fails. */
EOWN_TEST(RadiusFigures, ChainOfFour) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--json");
  CHECK_EQ(0, run.status);
  CHECK_STREQ("A", test_string(run.json, "roots.0.root"));
  CHECK_NEAR(3, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.chain_stop"), 0);
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.ownership"), 0);
  CHECK_NEAR(8, test_number(run.json, "roots.0.amplification.stock"), 1e-9);
  CHECK_NEAR(1.331, test_number(run.json, "roots.0.amplification.budget"),
             1e-9);
  CHECK_NEAR(2, test_number(run.json, "roots.0.amplification.ownership"), 1e-9);
  test_run_clear(&run);
}

/* The command is there in the lab itself. */
EOWN_TEST(RadiusFigures, InTheLab) {
  test_run run;
  test_run_program(&run, EOWN_LAB, "A,B\nB,C\nC,D\n");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(3, test_number(run.json, "roots.0.radius.stock"), 0);
  test_run_clear(&run);
}

/* The incident's 46 % and 135 %: budgets alone over 4 and 9 hops. */
EOWN_TEST(RadiusFigures, BudgetsOverFourAndNineHops) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\nD,E\n", "--json");
  CHECK_NEAR(1.4641, test_number(run.json, "roots.0.amplification.budget"),
             1e-8);
  test_run_clear(&run);
  test_run_text(&run, "A,B\nB,C\nC,D\nD,E\nE,F\nF,G\nG,H\nH,I\nI,J\n",
                "--json");
  CHECK_NEAR(pow(1.1, 9), test_number(run.json, "roots.0.amplification.budget"),
             1e-8);
  test_run_clear(&run);
}

EOWN_TEST(RadiusFigures, AttemptsMultiply) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--attempts 5 --json");
  CHECK_NEAR(125, test_number(run.json, "roots.0.amplification.stock"), 1e-9);
  CHECK_NEAR(5, test_number(run.json, "roots.0.amplification.ownership"), 1e-9);
  test_run_clear(&run);
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--attempts 1 --json");
  CHECK_NEAR(0, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(1, test_number(run.json, "roots.0.amplification.stock"), 0);
  test_run_clear(&run);
}

/* Nobody retries at the failing service's edge: its caller claims the error. */
EOWN_TEST(RadiusFigures, AtLeastOnce) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--no-retry C-D --json");
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.ownership"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.0.amplification.ownership"), 0);
  CHECK_NEAR(4, test_number(run.json, "roots.0.amplification.stock"), 1e-9);
  test_run_clear(&run);
}

static void check_keys(const json_t *object, const char *expected) {
  char keys[256] = "";
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach((json_t *)object, key, value) {
    strcat(keys, key);
    strcat(keys, " ");
  }
  CHECK_STREQ(expected, keys);
}

static const json_t *member(const json_t *json, const char *key) {
  return json_object_get(json, key);
}

/* What readers of the JSON rely on. */
EOWN_TEST(RadiusFigures, ShapeOfTheJson) {
  test_run run;
  test_run_text(&run,
                "{\"service\":\"S\",\"num\":3,\"edges\":[[\"USER\",\"A\",1],"
                "[\"A\",\"B\",1],[\"B\",\"C\",1]]}\n"
                "{\"service\":\"T\",\"num\":1,\"edges\":[[\"USER\",\"A\",1]]}",
                "--json");
  const json_t *row = json_array_get(member(run.json, "roots"), 0);
  const json_t *all = member(run.json, "overall");
  check_keys(run.json,
             "graphs cycles roots overall histogram worst_path advice ");
  check_keys(row, "service root radius amplification ");
  check_keys(member(row, "radius"), "stock chain_stop ownership ");
  check_keys(member(row, "amplification"), "stock budget ownership ");
  check_keys(all, "radius_max radius_mean radius_mean_weighted "
                  "amplification_max ");
  CHECK_TRUE(json_is_integer(member(member(row, "radius"), "stock")));
  CHECK_NEAR(2, test_number(run.json, "graphs"), 0);
  CHECK_STREQ("S", test_string(run.json, "roots.0.service"));
  CHECK_STREQ("T", test_string(run.json, "roots.1.service"));
  CHECK_NEAR(2, test_number(all, "radius_max.stock"), 0);
  CHECK_NEAR(1, test_number(all, "radius_mean.stock"), 0);
  CHECK_NEAR(1.5, test_number(all, "radius_mean_weighted.stock"), 0);
  CHECK_TRUE(json_is_array(member(run.json, "advice")));
  test_run_clear(&run);
}

EOWN_TEST(RadiusFigures, NoServiceWhereTheInputHasNone) {
  test_run run;
  test_run_text(&run, "A,B\n", "--json");
  check_keys(json_array_get(member(run.json, "roots"), 0),
             "root radius amplification ");
  test_run_clear(&run);
}

EOWN_TEST(RadiusFigures, SeveralRoots) {
  test_run run;
  test_run_text(&run, "A,C\nB,C\nC,D\nB,X\n", "--json");
  CHECK_STREQ("A", test_string(run.json, "roots.0.root"));
  CHECK_STREQ("B", test_string(run.json, "roots.1.root"));
  CHECK_NEAR(2, test_number(run.json, "roots.1.radius.stock"), 0);
  test_run_clear(&run);
}
