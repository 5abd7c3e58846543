/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Fleets that are made up. */
#include "lab/simulate/simulation.h"

#include "gtest_c.h"

#include <math.h>
#include <stdlib.h>

static void check_fleet(const lab_shape *shape) {
  TEST_TRACE("%u services, %u levels", shape->services, shape->depth);
  lab_fleet fleet;
  lab_fleet_make(&fleet, shape);
  CHECK_EQ(shape->services, fleet.count);
  bool *called = calloc(fleet.count, 1);
  called[0] = true;
  for (uint32_t i = 0; i < fleet.count; i++) {
    const lab_fleet_service *service = &fleet.services[i];
    CHECK_EQ(0, service->first % LAB_FLEET_LINE);
    for (uint32_t j = 0; j < service->edges; j++) {
      uint32_t callee = fleet.edges[service->first + j].callee;
      CHECK_LT(i, callee);
      CHECK_LT(callee, fleet.count);
      called[callee] = true;
      for (uint32_t k = 0; k < j; k++)
        CHECK_NE(callee, fleet.edges[service->first + k].callee);
    }
  }
  for (uint32_t i = 0; i < fleet.count; i++)
    CHECK_TRUE(called[i]);
  free(called);
  lab_fleet_clear(&fleet);
}

EOWN_TEST(SimulatedFleet, EverybodyIsCalled) {
  check_fleet(&(lab_shape){1, 1, 4, 1, 1});
  check_fleet(&(lab_shape){2, 2, 4, 1, 1});
  check_fleet(&(lab_shape){7, 7, 4, 1, 1});
  check_fleet(&(lab_shape){13, 4, 3, 2, 1});
  check_fleet(&(lab_shape){100, 10, 4, 1.5, 2});
  check_fleet(&(lab_shape){1000, 7, 10, 1, 3});
}

/* Walker's and Vose's tables draw what the weights say. */
EOWN_TEST(SimulatedFleet, DrawsByWeight) {
  static const double weights[] = {5, 1, 0.5, 3, 0, 0.5};
  lab_fleet fleet;
  lab_fleet_make(&fleet, &(lab_shape){7, 2, 6, 1, 1});
  REQUIRE_EQ(6, fleet.services[0].edges);
  lab_fleet_weigh(&fleet, 0, weights);
  int counts[6] = {0};
  lab_random random;
  lab_random_seed(&random, 1, 0);
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = lab_random_next(&random);
    uint32_t place = lab_fleet_place(&fleet.services[0], 0, bits);
    counts[lab_fleet_draw(&fleet, place, bits)]++;
  }
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(weights[i] * 10000, counts[i], 5 * sqrt(weights[i] * 10000) + 1);
  lab_fleet_clear(&fleet);
}

/* Two calls to each of two callees, three levels: 1 + 2 + 4 calls. */
EOWN_TEST(SimulatedFleet, CallsEachCalleeOnce) {
  lab_fleet fleet;
  lab_fleet_make(&fleet, &(lab_shape){5, 3, 2, 2, 1});
  CHECK_TRUE(fleet.services[0].each);
  CHECK_NEAR(7, lab_fleet_hops(&fleet), 1e-6);
  lab_model model;
  lab_counts counts;
  lab_effort effort;
  lab_model_init(&model, &fleet);
  model.requests = 100;
  lab_walk_run(&model, &counts, &effort);
  for (uint32_t i = 1; i < 5; i++)
    CHECK_EQ(i < 3 ? 100 : 200, counts.services[i].served);
  CHECK_EQ(700, counts.hops);
  lab_counts_clear(&counts);
  lab_fleet_clear(&fleet);
}

/* The mean of the calls drawn is the fan-out; so are the expected hops. */
EOWN_TEST(SimulatedFleet, FanOut) {
  static const double fan_outs[] = {0, 0.3, 1, 1.5, 2.25};
  for (size_t i = 0; i < sizeof(fan_outs) / sizeof(*fan_outs); i++) {
    double f = fan_outs[i], expected = 1 + f + f * f;
    lab_fleet fleet;
    lab_fleet_make(&fleet, &(lab_shape){41, 3, 4, f, 1});
    CHECK_NEAR(expected, lab_fleet_hops(&fleet), 1e-4);
    lab_model model;
    lab_counts counts;
    lab_effort effort;
    lab_model_init(&model, &fleet);
    lab_walk_run(&model, &counts, &effort);
    CHECK_NEAR(expected, (double)counts.hops / (double)counts.requests,
               expected * 0.02);
    lab_counts_clear(&counts);
    lab_fleet_clear(&fleet);
  }
}

EOWN_TEST(SimulatedFleet, Names) {
  char text[LAB_FLEET_NAME];
  lab_fleet small, large;
  lab_fleet_make(&small, &(lab_shape){26, 7, 4, 1, 1});
  lab_fleet_make(&large, &(lab_shape){27, 7, 4, 1, 1});
  CHECK_STREQ("Z", lab_fleet_name(&small, 25, text));
  CHECK_STREQ("s26", lab_fleet_name(&large, 26, text));
  CHECK_EQ(2, lab_fleet_find(&small, "C"));
  CHECK_EQ(LAB_FLEET_NONE, lab_fleet_find(&small, "s2"));
  CHECK_EQ(26, lab_fleet_find(&large, "s26"));
  CHECK_EQ(LAB_FLEET_NONE, lab_fleet_find(&large, "s27"));
  lab_fleet_clear(&small);
  lab_fleet_clear(&large);
}

/* A larger share holds the gaps of a smaller one. */
EOWN_TEST(SimulatedFleet, Gaps) {
  static const double shares[] = {0, 0.1, 0.5, 1};
  lab_fleet fleet;
  lab_fleet_make(&fleet, &(lab_shape){5000, 7, 4, 1, 1});
  bool *gone = calloc(fleet.count, 1);
  for (size_t i = 0; i < 4; i++) {
    uint32_t count = 0;
    lab_fleet_set_gaps(&fleet, &(lab_gaps){.no_eown = shares[i]}, 9);
    for (uint32_t j = 0; j < fleet.count; j++) {
      CHECK_TRUE(!gone[j] || !fleet.services[j].eown);
      gone[j] = !fleet.services[j].eown;
      count += gone[j];
      CHECK_FALSE(fleet.services[j].lost);
    }
    CHECK_NEAR(shares[i], count / 5000.0, 0.03);
  }
  free(gone);
  lab_fleet_clear(&fleet);
}
