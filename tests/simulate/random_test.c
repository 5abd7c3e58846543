/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The simulator's dice. */
#include "lab/simulate/random.h"

#include "gtest_c.h"

#include <math.h>

EOWN_TEST(SimulatedRandom, SameSeedSameNumbers) {
  lab_random a, b, c, d;
  lab_random_seed(&a, 7, 3);
  lab_random_seed(&b, 7, 3);
  lab_random_seed(&c, 7, 4);
  lab_random_seed(&d, 8, 3);
  for (int i = 0; i < 100; i++) {
    uint64_t number = lab_random_next(&a);
    CHECK_EQ(number, lab_random_next(&b));
    CHECK_NE(number, lab_random_next(&c));
    CHECK_NE(number, lab_random_next(&d));
  }
}

EOWN_TEST(SimulatedRandom, Chances) {
  static const double rates[] = {0, 1e-3, 0.1, 0.5, 0.9, 1};
  lab_random random;
  lab_random_seed(&random, 1, 0);
  for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
    double p = rates[i];
    int hits = 0;
    for (int j = 0; j < 100000; j++)
      hits += lab_random_chance(&random, lab_chance_of(p));
    CHECK_NEAR(p, hits / 100000.0, 5 * sqrt(p * (1 - p) / 100000));
  }
}

EOWN_TEST(SimulatedRandom, Below) {
  int counts[7] = {0};
  lab_random random;
  lab_random_seed(&random, 1, 0);
  for (int i = 0; i < 70000; i++) {
    uint32_t number = lab_random_below(&random, 7);
    REQUIRE_TRUE(number < 7);
    counts[number]++;
    double unit = lab_random_unit(&random);
    REQUIRE_TRUE(unit >= 0 && unit < 1);
  }
  for (int i = 0; i < 7; i++)
    CHECK_NEAR(10000, counts[i], 500);
}
