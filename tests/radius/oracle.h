/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_RADIUS_ORACLE_H
#define EOWN_TESTS_RADIUS_ORACLE_H

#include "world.h"

typedef enum oracle_way {
  ORACLE_STOCK,
  ORACLE_BUDGET,
  ORACLE_CHAIN_STOP,
  ORACLE_OWNERSHIP,      /* the services of the setup */
  ORACLE_OWNERSHIP_FULL, /* all */
  ORACLE_WAYS
} oracle_way;

typedef struct oracle_result {
  unsigned radius;
  double amplification;
} oracle_result;

/* Makes every call of one request of A, with each attempt, once for each
 * service that may fail, and counts. Written from the rules, without the lab's
 * or the core's code.
 *
 * The radius here is the longest row of retries, one on top of the other and
 * the last at the failing service itself, that any of its requests has behind
 * it. */
oracle_result oracle_examine(const test_world *world, const test_setup *setup,
                             oracle_way way);

#endif /* EOWN_TESTS_RADIUS_ORACLE_H */
