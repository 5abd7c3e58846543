/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The storm radius of a call path. */
#include "lab/simulate/path.h"

#include "gtest_c.h"

#include <string.h>

static lab_path_radius radius_of(const char *services) {
  lab_path path = {.services = (uint32_t)strlen(services)};
  for (uint32_t i = 0; i < path.services; i++) {
    path.eown[i] = services[i] != 's';
    path.lost[i] = services[i] == 'l';
    path.no_retry[i] = services[i] == 'n';
  }
  return lab_path_find_radius(&path, &lab_rules_core);
}

/* e: eown, s: stock, l: loses the context, n: no retry policy. */
EOWN_TEST(SimulatedPath, Radius) {
  static const struct {
    const char *services;
    uint32_t stock, ownership;
  } rows[] = {
      {"eeee", 3, 1}, {"ssss", 3, 3},   {"eels", 3, 2},  {"eesee", 4, 2},
      {"esse", 3, 3}, {"elle", 3, 3},   {"eslee", 4, 3}, {"nnnn", 3, 0},
      {"enen", 3, 1}, {"eesnee", 5, 2}, {"e", 0, 0},     {"ee", 1, 1},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    TEST_TRACE("%s", rows[i].services);
    lab_path_radius radius = radius_of(rows[i].services);
    CHECK_EQ(rows[i].stock, radius.stock);
    CHECK_EQ(rows[i].ownership, radius.ownership);
  }
}

/* Never more than one hop beyond the services without eown or context. */
EOWN_TEST(SimulatedPath, GapsBoundTheRadius) {
  static const lab_gaps gaps = {.no_eown = 0.2, .lost = 0.2, .no_retry = 0.2};
  for (uint64_t seed = 0; seed < 500; seed++) {
    lab_path path;
    lab_path_make(&path, 20, &gaps, seed);
    uint32_t run = 0, longest = 0;
    for (uint32_t i = 1; i < 19; i++) {
      run = !path.eown[i] || path.lost[i] ? run + 1 : 0;
      longest = run > longest ? run : longest;
    }
    CHECK_LE(lab_path_find_radius(&path, &lab_rules_core).ownership,
             longest + 1);
  }
}
