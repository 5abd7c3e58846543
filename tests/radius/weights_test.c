/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

static void check_stock(const char *text, double amplification) {
  TEST_TRACE("%s", text);
  test_run run;
  test_run_text(&run, text, "--json");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(amplification,
             test_number(run.json, "roots.0.amplification.stock"), 1e-7);
  test_run_clear(&run);
}

/* D is called by A at once, and through B and C: 2 and 8 times its load. In the
 * second case it is C that suffers most when it fails. */
EOWN_TEST(RadiusWeights, LoadAddsUpOverAllPaths) {
  check_stock("A,B\nB,C\nC,D\nA,D\n", (8 + 2) / 2.0);
  check_stock("A,B,100\nB,C,100\nC,D,100\nA,D,300\n", 4);
  check_stock("A,B,300\nB,C,300\nC,D,300\nA,D,100\n", (3 * 8 + 2) / 4.0);
}

/* Counts are relative to all calls that come in. */
EOWN_TEST(RadiusWeights, CallsPerCall) {
  check_stock("USER,A,10\nA,B,20\nA,C,10\nB,C,5\n",
              10 / 15.0 * 2 + 5 / 15.0 * 4);
  check_stock("USER,A,10\nA,B,1\nB,C,1\n", 4);
}

/* Where nothing is counted, one call for each; where nothing is known to come
 * in, the busiest edge counts as one. */
EOWN_TEST(RadiusWeights, WithoutCounts) {
  check_stock("A,B,4\nA,C\nB,D\nC,D\nD,E\n", 8);
  check_stock("A,B,50\nB,C,25\nA,C,100\n", (25 * 4 + 100 * 2) / 125.0);
}

EOWN_TEST(RadiusWeights, DuplicatesAddUp) {
  check_stock("A,B,50\nB,C,75\nA,D,75\nD,C,75\nA,C,25\nA,C,50\nA,B,25\n",
              (75 * 4 + 75 * 4 + 75 * 2) / 225.0);
  check_stock("A,B\nA,B\nB,C\nA,C\n", 3);
  test_run run;
  test_run_text(&run, "A,B\nA,B\nB,C\nB,C,3\n", "");
  CHECK_CONTAINS("2 duplicate edges added up", run.out);
  test_run_clear(&run);
}

/* Far apart, but still numbers; and what is not is refused. */
EOWN_TEST(RadiusWeights, ExtremeCounts) {
  check_stock("USER,A,1\nA,B,1e15\nB,C,1\nC,D,1e15\n", 8);
  test_run run;
  char text[1024] = "USER,n0,1\n";
  size_t used = 10;
  for (int i = 0; i < 21; i++) {
    used += (size_t)snprintf(text + used, sizeof(text) - used,
                             "n%d,n%d,%s\nx%d,n%d,%s\n", i, i + 1, "1e-15", i,
                             i + 1, "1");
  }
  test_run_text(&run, text, "");
  CHECK_EQ(2, run.status);
  CHECK_CONTAINS("along a path: expected counts", run.err);
  test_run_clear(&run);
}
