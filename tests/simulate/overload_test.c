/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The simulation with queues. */
#include "chain.h"

#include "lab/simulate/events.h"
#include "lab/simulate/overload.h"

#include "gtest_c.h"

#include <string.h>

EOWN_TEST(SimulatedOverload, EventsInOrder) {
  lab_events events = {0};
  lab_random random;
  lab_random_seed(&random, 1, 0);
  for (uint32_t i = 0; i < 5000; i++)
    lab_events_add(
        &events,
        (lab_event){.time_us = lab_random_below(&random, 500), .call = i});
  lab_event last = {0}, event;
  int taken = 0;
  while (lab_events_take(&events, &event)) {
    if (taken++ > 0) {
      CHECK_LE(last.time_us, event.time_us);
      if (last.time_us == event.time_us)
        CHECK_LT(last.call, event.call); /* as they were added */
    }
    last = event;
  }
  CHECK_EQ(5000, taken);
  lab_events_clear(&events);
}

/* A chain of four under this mode; the trigger is the default one. */
typedef struct trial {
  chain chain;
  lab_overload overload;
  lab_counts counts;
  lab_curve curve;
} trial;

static void trial_make(trial *trial, lab_mode mode) {
  memset(trial, 0, sizeof(*trial));
  chain_make(&trial->chain, 4, 0, 0);
  trial->chain.model.mode = mode;
  trial->chain.model.budget = mode == LAB_MODE_BUDGET ? 10 : -1;
  trial->chain.model.rate = 400;
  lab_overload_init(&trial->overload, &trial->chain.fleet, 3);
}

static void trial_run(trial *trial) {
  lab_effort effort;
  lab_overload_run(&trial->chain.model, &trial->overload, &trial->counts,
                   &trial->curve, &effort);
}

static void trial_clear(trial *trial) {
  lab_counts_clear(&trial->counts);
  lab_curve_clear(&trial->curve);
  chain_clear(&trial->chain);
}

/* Long after the trigger: the load, and how many requests succeed. */
static double load_at_the_end(const trial *trial) {
  double load = 0;
  for (uint32_t i = 50; i < 60; i++)
    load += trial->curve.seconds[i].load;
  return load / 10;
}

static bool is_well_at_the_end(const trial *trial) {
  uint32_t failures = 0, requests = 0;
  for (uint32_t i = 50; i < 60; i++) {
    failures += trial->curve.seconds[i].failures;
    requests += trial->curve.seconds[i].requests;
  }
  return requests > 0 && failures == 0;
}

/* The metastable state: stock keeps the service down at eight times its load;
 * ownership lets it recover. */
EOWN_TEST(SimulatedOverload, Metastable) {
  trial stock, owned;
  trial_make(&stock, LAB_MODE_STOCK);
  trial_make(&owned, LAB_MODE_OWNERSHIP);
  trial_run(&stock);
  trial_run(&owned);
  CHECK_FALSE(is_well_at_the_end(&stock));
  CHECK_NEAR(3200, load_at_the_end(&stock), 100);
  CHECK_TRUE(stock.curve.recovered < 0);
  CHECK_TRUE(is_well_at_the_end(&owned));
  CHECK_NEAR(400, load_at_the_end(&owned), 40);
  CHECK_TRUE(owned.curve.recovered > 0 && owned.curve.recovered < 20);
  trial_clear(&stock);
  trial_clear(&owned);
}

/* Without a trigger nothing fails in any mode. */
EOWN_TEST(SimulatedOverload, NoTriggerNoStorm) {
  for (int mode = 0; mode < LAB_MODE_N; mode++) {
    trial trial;
    trial_make(&trial, (lab_mode)mode);
    trial.overload.trigger_seconds = 0;
    trial_run(&trial);
    CHECK_EQ(0, trial.counts.failures);
    CHECK_NEAR(0, trial.curve.recovered, 10);
    trial_clear(&trial);
  }
}

/* Callers that give up at the same time hear no claim, so ownership alone does
 * not stop this storm; timeouts that grow towards the root, or a budget, do. */
EOWN_TEST(SimulatedOverload, Timeouts) {
  static const struct {
    double growth, budget;
    bool recovers;
  } rows[] = {{1, -1, false}, {2.2, -1, true}, {1, 10, true}, {2.2, 10, true}};
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    TEST_TRACE("growth %g, budget %g", rows[i].growth, rows[i].budget);
    trial trial;
    trial_make(&trial, LAB_MODE_OWNERSHIP);
    trial.overload.timeout_ms = 300;
    trial.overload.timeout_growth = rows[i].growth;
    trial.chain.model.budget = rows[i].budget;
    trial_run(&trial);
    CHECK_EQ(rows[i].recovers, is_well_at_the_end(&trial));
    trial_clear(&trial);
  }
}

/* The curve and the counts are of the same calls. */
EOWN_TEST(SimulatedOverload, CurveAddsUp) {
  trial trial;
  trial_make(&trial, LAB_MODE_STOCK);
  trial_run(&trial);
  uint64_t requests = 0, failures = 0, load = 0, served = 0;
  for (uint32_t i = 0; i < trial.curve.count; i++) {
    const lab_second *second = &trial.curve.seconds[i];
    requests += second->requests;
    failures += second->failures;
    load += second->load;
    served += second->done + second->wasted;
    CHECK_LE(second->queue, 2000);
    CHECK_LE(second->done + second->wasted, 1001);
  }
  CHECK_EQ(60, trial.curve.count);
  CHECK_EQ(trial.counts.requests, requests);
  CHECK_EQ(trial.counts.failures, failures);
  CHECK_EQ(trial.counts.services[3].served, load);
  CHECK_LE(served, load);
  trial_clear(&trial);
}

EOWN_TEST(SimulatedOverload, SameSeedSameCurve) {
  trial a, b, c;
  trial_make(&a, LAB_MODE_STOCK);
  trial_make(&b, LAB_MODE_STOCK);
  trial_make(&c, LAB_MODE_STOCK);
  c.chain.model.seed = 2;
  trial_run(&a);
  trial_run(&b);
  trial_run(&c);
  CHECK_MEMEQ(a.curve.seconds, b.curve.seconds, 60 * sizeof(lab_second));
  CHECK_NE(a.counts.hops, c.counts.hops);
  trial_clear(&a);
  trial_clear(&b);
  trial_clear(&c);
}

/* The root itself may be the overloaded one. */
EOWN_TEST(SimulatedOverload, TheRoot) {
  trial trial;
  trial_make(&trial, LAB_MODE_OWNERSHIP);
  trial.overload.service = 0;
  trial_run(&trial);
  CHECK_TRUE(is_well_at_the_end(&trial));
  CHECK_EQ(trial.counts.services[0].served, trial.counts.services[0].first);
  trial_clear(&trial);
}

/* A storm of loops is one like that of policies. */
EOWN_TEST(SimulatedOverload, Loops) {
  for (int by = LAB_RETRY_BY_APPLICATION; by < LAB_RETRY_BY_N; by++) {
    TEST_TRACE("%s", lab_retry_by_names[by]);
    for (int mode = 0; mode < 2; mode++) {
      trial trial;
      trial_make(&trial, mode ? LAB_MODE_OWNERSHIP : LAB_MODE_STOCK);
      trial.chain.model.retry_by = (lab_retry_by)by;
      trial_run(&trial);
      CHECK_EQ(mode == 1, is_well_at_the_end(&trial));
      trial_clear(&trial);
    }
  }
}
