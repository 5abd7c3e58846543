/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The result is the same on any number of threads, and in any run. */
#include "lab/simulate/walk.h"

#include "gtest_c.h"

#define REQUESTS 5000

static const lab_gaps gaps = {
    .no_eown = 0.1, .lost = 0.05, .no_retry = 0.1, .fail_open = 0.2};

static void run(const lab_fleet *fleet, lab_mode mode, unsigned threads,
                uint64_t seed, lab_retry_by by, lab_counts *counts) {
  lab_model model;
  lab_effort effort;
  lab_model_init(&model, fleet);
  model.mode = mode;
  model.budget = 10;
  model.threads = threads;
  model.seed = seed;
  model.requests = REQUESTS;
  model.chunk = 450;
  model.spell_ms = mode % 2 == 0 ? 20 : 0;
  model.retry_by = by;
  model.memory = &lab_memory_model_learns;
  lab_walk_run(&model, counts, &effort);
}

static void check_same(const lab_counts *a, const lab_counts *b) {
  CHECK_EQ(a->requests, b->requests);
  CHECK_EQ(a->failures, b->failures);
  CHECK_EQ(a->hops, b->hops);
  CHECK_EQ(a->useful, b->useful);
  CHECK_EQ(a->throttled, b->throttled);
  CHECK_EQ(a->multiplied, b->multiplied);
  CHECK_MEMEQ(a->stopped, b->stopped, sizeof(a->stopped));
  CHECK_MEMEQ(a->services, b->services, a->count * sizeof(*a->services));
}

static void check_modes(lab_retry_by by) {
  TEST_TRACE("%s", lab_retry_by_names[by]);
  lab_fleet fleet;
  lab_fleet_make(&fleet, &(lab_shape){200, 6, 4, 1.5, 1});
  lab_fleet_set_gaps(&fleet, &gaps, 1);
  for (uint32_t i = 0; i < fleet.count; i++)
    fleet.services[i].fails = lab_chance_of(0.03);
  for (int mode = 0; mode < LAB_MODE_N; mode++) {
    TEST_TRACE("%s", lab_mode_names[mode]);
    lab_counts one, other;
    run(&fleet, (lab_mode)mode, 1, 1, by, &one);
    CHECK_EQ(REQUESTS, one.requests);
    for (unsigned threads = 1; threads <= 7; threads += 2) {
      run(&fleet, (lab_mode)mode, threads, 1, by, &other);
      check_same(&one, &other);
      lab_counts_clear(&other);
    }
    run(&fleet, (lab_mode)mode, 2, 2, by, &other);
    CHECK_NE(one.hops, other.hops);
    lab_counts_clear(&other);
    lab_counts_clear(&one);
  }
  lab_fleet_clear(&fleet);
}

EOWN_TEST(SimulatedThreads, SameResult) { check_modes(LAB_RETRY_BY_GRPC); }

EOWN_TEST(SimulatedThreads, SameResultOfLoops) {
  check_modes(LAB_RETRY_BY_APPLICATION);
  check_modes(LAB_RETRY_BY_BOTH);
}
