/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The error rates that eown/memory_table.h states, by simulation. */
#include "trial.h"

#include "gtest_c.h"

#define RUNS 200
#define FAILURES 400

/* One line of the table in the header. */
typedef struct line {
  double rate, own;
  unsigned open_median, open_p95;   /* failures to fail-open, at most */
  unsigned close_median, close_p95; /* failures to fail-close, at most */
} line;

static const line lines[] = {
    {0.001, 0, 40, 40, 3, 4},    {0.001, 0.01, 54, 90, 4, 4},
    {0.001, 0.1, 95, 230, 6, 7}, {0.01, 0, 40, 40, 4, 5},
    {0.01, 0.01, 41, 66, 4, 5},  {0.01, 0.1, 80, 165, 6, 8},
    {0.1, 0, 40, 40, 5, 6},      {0.1, 0.01, 41, 66, 5, 7},
    {0.1, 0.1, 80, 165, 7, 10},
};

static trial make(double rate, double power, double own) {
  return (trial){.rate = rate,
                 .power = power,
                 .own = own,
                 .runs = rate < 0.005 ? RUNS / 10 : RUNS,
                 .failures = FAILURES};
}

static void check_open(const line *l) {
  trial t = make(l->rate, 0, l->own);
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_OPEN);
  CHECK_LE(r.median, l->open_median);
  CHECK_LE(r.p95, l->open_p95);
  CHECK_EQ(0, r.never);
  CHECK_LE(r.wrong_runs, t.runs / 100);
  CHECK_TRUE(r.wrong_share <= 0.001);
  CHECK_TRUE(r.unknown_share <= 0.005);
}

/* An edge of full power is never called fail-open, in any run. */
static void check_close(const line *l) {
  trial t = make(l->rate, 1, l->own);
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_CLOSE);
  CHECK_LE(r.median, l->close_median);
  CHECK_LE(r.p95, l->close_p95);
  CHECK_EQ(0, r.never);
  CHECK_EQ(0, r.wrong_runs);
  CHECK_TRUE(r.unknown_share <= 0);
}

EOWN_TEST(Statistics, TheTable) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    TEST_TRACE("edge fails at %g, own errors at %g", lines[i].rate,
               lines[i].own);
    check_open(&lines[i]);
    check_close(&lines[i]);
  }
}

/* An edge that makes the inbound fail once in four times, or once in two, is
 * not taken for fail-open. */
EOWN_TEST(Statistics, AnEdgeThatSometimesMatters) {
  static const double powers[] = {EOWN_MEMORY_POWER, 0.5};
  static const double owns[] = {0, 0.01, 0.1};
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 3; j++) {
      TEST_TRACE("power %g, own errors at %g", powers[i], owns[j]);
      trial t = make(0.1, powers[i], owns[j]);
      trial_result r = trial_run(&t, EOWN_EDGE_FAIL_CLOSE);
      CHECK_EQ(0, r.wrong_runs);
      CHECK_EQ(0, r.never);
    }
}

/* Both are called fail-close where one is: the safe side. */
EOWN_TEST(Statistics, TwoThatAlwaysFailTogether) {
  trial t = make(0.1, 0, 0.01);
  t.second_rate = 0.1;
  t.second_power = 1;
  t.second_together = true;
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_CLOSE);
  CHECK_EQ(0, r.never);
  CHECK_EQ(0, r.wrong_runs);
}

/* Where neither matters, both are found fail-open. */
EOWN_TEST(Statistics, TwoHarmlessOnesThatAlwaysFailTogether) {
  trial t = make(0.1, 0, 0.1);
  t.second_rate = 0.1;
  t.second_together = true;
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_OPEN);
  CHECK_EQ(0, r.never);
  CHECK_LE(r.wrong_runs, t.runs / 100);
}

EOWN_TEST(Statistics, AFailCloseEdgeBesideAFailOpenOneAtAHalf) {
  trial t = make(0.01, 1, 0.01);
  t.second_rate = 0.5;
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_CLOSE);
  CHECK_EQ(0, r.never);
  CHECK_EQ(0, r.wrong_runs);
  CHECK_LE(r.p95, 8);
}

EOWN_TEST(Statistics, AFailOpenEdgeBesideAFailCloseOneAtAHalf) {
  trial t = make(0.1, 0, 0.01);
  t.second_rate = 0.5;
  t.second_power = 1;
  trial_result r = trial_run(&t, EOWN_EDGE_FAIL_OPEN);
  CHECK_EQ(0, r.never);
  CHECK_EQ(0, r.wrong_runs);
}

/* An edge that always fails, and always takes the inbound along, as in the
 * storm: whatever the own errors are. */
EOWN_TEST(Statistics, AnAlwaysFailingEdgeIsNeverFailOpen) {
  static const double owns[] = {0, 0.1, 0.9, 1};
  for (size_t i = 0; i < 4; i++) {
    TEST_TRACE("own errors at %g", owns[i]);
    trial t = make(1, 1, owns[i]);
    t.failures = 5000;
    t.runs = 10;
    trial_result r = trial_run(&t, EOWN_EDGE_FAIL_CLOSE);
    CHECK_EQ(0, r.wrong_runs);
  }
}

/* After 1,000 failures of one kind, a deploy. */
EOWN_TEST(Statistics, ADeployFlipsAnEdge) {
  trial opens = make(0.1, 0, 0.1);
  opens.flips = true;
  opens.power_before = 1;
  trial_result r = trial_run(&opens, EOWN_EDGE_FAIL_OPEN);
  CHECK_EQ(0, r.never);
  CHECK_LE(r.median, 125);
  CHECK_LE(r.p95, 210);
  trial closes = make(0.1, 1, 0.1);
  closes.flips = true;
  r = trial_run(&closes, EOWN_EDGE_FAIL_CLOSE);
  CHECK_EQ(0, r.never);
  CHECK_LE(r.median, 17);
  CHECK_LE(r.p95, 20);
}
