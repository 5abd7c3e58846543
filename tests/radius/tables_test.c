/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

#include <string.h>

/* What people see of a chain of four, whole. */
EOWN_TEST(RadiusTables, ChainOfFour) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "");
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("1 graph, 1 root, 4 services; 2 attempts, budget 10 %\n",
                 run.out);
  CHECK_CONTAINS(
      "over all roots          stock  budget  chain stop  ownership\n"
      "radius, largest             3       3           1          1\n"
      "radius, mean                3       3           1          1\n"
      "amplification, largest      8   1.331           4          2\n",
      run.out);
  CHECK_CONTAINS("worst roots", run.out);
  CHECK_CONTAINS("worst services to fail", run.out);
  CHECK_CONTAINS("eown in B", run.out);
  test_run_clear(&run);
}

EOWN_TEST(RadiusTables, PartialRollOutHasAColumnMore) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--eown C");
  CHECK_CONTAINS("ownership  everywhere\n", run.out);
  test_run_clear(&run);
}

/* A root of several graphs is listed once, and the mean by num is there. */
EOWN_TEST(RadiusTables, WeightedGraphs) {
  test_run run;
  test_run_text(&run,
                "{\"service\":\"S\",\"num\":9,\"edges\":[[\"A\",\"B\"]]}\n"
                "{\"service\":\"S\",\"num\":1,\"edges\":[[\"A\",\"B\"],"
                "[\"B\",\"B2\"]]}\n",
                "");
  CHECK_CONTAINS("radius, mean by num       1.1", run.out);
  const char *first = strstr(run.out, "S/A ");
  if (CHECK_NOT_NULL(first))
    CHECK_NULL(strstr(first + 1, "S/A "));
  test_run_clear(&run);
}
