/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_ADVICE_H
#define EOWN_LAB_RADIUS_ADVICE_H

#include "survey.h"

/* One thing to do, and the worst over all roots once it is done. */
typedef struct radius_step {
  bool retry;      /* give the edge a retry policy; else add eown */
  uint32_t name;   /* the service, or the caller; of the fleet's names */
  uint32_t callee; /* RADIUS_NONE: no edge */
  uint32_t radius_max;
  uint32_t reach_max;
  double radius_mean;
  double roots_at_max; /* roots with that radius, weighted by num */
} radius_step;

typedef struct radius_advice {
  radius_step *steps;
  uint32_t count;
} radius_advice;

/* Finds what to do next, `top` steps at most, in greedy order: the service
 * where adding eown lowers the worst radius most; among equals the one that
 * relieves most of the worst roots, then the one on most of their longest runs.
 * Each step builds on those before; it begins with the roll-out of the policy,
 * with no eown where the policy says nothing, and ends where the worst radius
 * is 1.
 *
 * A retry policy never lowers a radius: the service that has none claims the
 * error of its callee, and so its callers do as they would if it had failed by
 * itself. What it lowers is the reach, so edges without one come after the
 * services, by how much they lower the worst reach, where they raise no radius.
 *
 * On large inputs the search looks at the most frequent candidates only, and
 * ends early rather than late. `eown` is by name, of the policy's list. The
 * edges of the fleet are as they were when it returns. */
void radius_advice_find(radius_advice *advice, const radius_survey *survey,
                        const radius_policy *policy, const bool *eown,
                        uint32_t top);

void radius_advice_clear(radius_advice *advice);

#endif /* EOWN_LAB_RADIUS_ADVICE_H */
