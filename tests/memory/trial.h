/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_TRIAL_H
#define EOWN_TESTS_MEMORY_TRIAL_H

#include "world.h"

/* A trial: the same world played many times, with seeds 1, 2, and so on. */
typedef struct trial {
  double rate; /* of the first edge */
  double power;
  double own;
  double second_rate; /* 0: there is no second edge */
  double second_power;
  bool second_together; /* fails with the first and only then */
  bool
      flips; /* the first edge was of power `power_before` for 1,000 failures */
  double power_before;
  unsigned runs;
  unsigned failures; /* of the first edge, observed in each run */
} trial;

/* What came out. */
typedef struct trial_result {
  unsigned median; /* failures until the verdict was `kind` */
  unsigned p95;
  unsigned never;       /* runs in which it did not come to it */
  unsigned wrong_runs;  /* in which the opposite verdict was ever made */
  double wrong_share;   /* of all failures, those while it was in force */
  double unknown_share; /* of those after the first verdict: without one */
} trial_result;

trial_result trial_run(const trial *trial, eown_edge_kind kind);

#endif /* EOWN_TESTS_MEMORY_TRIAL_H */
