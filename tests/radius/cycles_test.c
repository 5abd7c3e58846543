/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

static void check_cycles(const char *text, double cycles, double radius) {
  TEST_TRACE("%s", text);
  test_run run;
  test_run_text(&run, text, "--json");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(cycles, test_number(run.json, "cycles"), 0);
  CHECK_NEAR(radius, test_number(run.json, "overall.radius_max.stock"), 0);
  test_run_clear(&run);
}

EOWN_TEST(RadiusCycles, BrokenWhereTheWalkClosesThem) {
  check_cycles("A,B\nB,C\nC,D\n", 0, 3);
  check_cycles("A,B\nB,C\nC,D\nD,B\n", 1, 3);
  check_cycles("A,B\nB,C\nC,B\nC,A\nC,D\n", 2, 3);
  check_cycles("R,A\nA,B\nB,A\nR,X\nX,Y\nY,X\n", 2, 2);
}

EOWN_TEST(RadiusCycles, SelfCalls) {
  check_cycles("A,B\nB,B\nB,C\nC,C\n", 2, 2);
  check_cycles("A,A\nA,B\n", 1, 1); /* A is not called by anybody else */
}

/* Nobody is without a caller: the first caller is the root, and it is said. */
EOWN_TEST(RadiusCycles, NoRoot) {
  test_run run;
  test_run_text(&run, "B,C\nC,A\nA,B\n", "--json");
  CHECK_STREQ("B", test_string(run.json, "roots.0.root"));
  CHECK_NEAR(1, test_number(run.json, "cycles"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.0.radius.stock"), 0);
  test_run_clear(&run);
  test_run_text(&run, "B,C\nC,A\nA,B\n", "");
  CHECK_CONTAINS("1 graph without a root", run.out);
  CHECK_CONTAINS("the first caller is taken", run.out);
  test_run_clear(&run);
}

EOWN_TEST(RadiusCycles, OnlyASelfCall) { check_cycles("A,A\n", 1, 0); }

/* From X the cycle X, Y is closed by Y's call, from Y by X's. */
EOWN_TEST(RadiusCycles, EachRootHasItsOwnWalk) {
  test_run run;
  test_run_text(&run, "R,X\nX,Y\nY,X\nS,Y\n", "--json");
  CHECK_NEAR(2, test_number(run.json, "cycles"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.1.radius.stock"), 0);
  test_run_clear(&run);
}

/* USER is outside: its callees are the roots, and calls to it lead nowhere. */
EOWN_TEST(RadiusCycles, User) {
  test_run run;
  test_run_text(&run, "USER,B\nA,B\nB,C\nC,USER\nUSER,USER\n", "--json");
  CHECK_STREQ("B", test_string(run.json, "roots.0.root"));
  CHECK_NULL(test_string(run.json, "roots.1.root"));
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(1, test_number(run.json, "cycles"), 0);
  test_run_clear(&run);
  test_run_text(&run, "USER,B\nA,B\nB,C\n", "");
  CHECK_CONTAINS("1 service left out: no root reaches", run.out);
  test_run_clear(&run);
}

/* A service of that name that calls nobody is a service. */
EOWN_TEST(RadiusCycles, UserWhoIsOnlyCalled) { check_cycles("A,USER\n", 0, 1); }
