/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "published.h"

/* One retry everywhere (two attempts) if nothing else is said. */
const lab_scenario lab_scenarios[] = {
    {
        .name = "stock retries",
        .nodes = 7,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_OFF,
        .served = {1, 2, 4, 8, 8, 8, 8},
    },
    {
        .name = "10 % budget",
        .nodes = 7,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .budget = 10,
        .no_claims = true,
        .served = {1, 1.1, 1.21, 1.331, 1.331, 1.331, 1.331},
    },
    {
        .name = "10 % budget and ownership",
        .nodes = 7,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .budget = 10,
        .served = {1, 1, 1, 1.1, 1.1, 1.1, 1.1},
    },
    {
        .name = "ownership alone",
        .nodes = 7,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .served = {1, 1, 1, 2, 2, 2, 2},
    },
    {
        .name = "at least once, C without retries",
        .nodes = 4,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .no_retry = "C",
        .served = {1, 1, 2, 2},
    },
    {
        .name = "nobody with retries",
        .nodes = 4,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .no_retry = "ABC",
        .served = {1, 1, 1, 1},
    },
    {
        .name = "context drop at C",
        .kind = LAB_SCENARIO_HALVED,
        .nodes = 4,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .drop = "C",
        .served = {1, 1, 2, 4},
    },
    {
        .name = "stock node B",
        .nodes = 4,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_ENFORCE,
        .stock = "B",
        .served = {1, 2, 2, 4},
    },
    {
        /* Stock traffic, in which each first attempt that ends UNCLAIMED would
         * have been stopped: A's one call to B and B's two calls to C, for each
         * root request. C's errors from D are claimed. */
        .name = "observe",
        .kind = LAB_SCENARIO_OBSERVED,
        .nodes = 4,
        .failing = 'D',
        .error_rate = 1,
        .mode = EOWN_MODE_OBSERVE,
        .served = {1, 2, 4, 8},
        .stopped = {1, 2, 0, 0},
    },

/* Errors seen after one retry under a budget of 10 %. */
#define AVAILABILITY(rate)                                                     \
  {                                                                            \
    .name = "availability under a 10 % budget, errors in %",                   \
    .kind = LAB_SCENARIO_AVAILABILITY, .nodes = 2, .failing = 'B',             \
    .error_rate = (rate), .mode = EOWN_MODE_ENFORCE, .budget = 10,             \
  }
    AVAILABILITY(0.001),
    AVAILABILITY(0.01),
    AVAILABILITY(0.05),
    AVAILABILITY(0.1),
    AVAILABILITY(0.2),
    AVAILABILITY(0.3),
};

const size_t lab_scenario_count =
    sizeof(lab_scenarios) / sizeof(*lab_scenarios);
