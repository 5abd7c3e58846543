/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_STORM_H
#define EOWN_LAB_RADIUS_STORM_H

#include "mode.h"
#include "walk.h"

/* What happens in the call graph of one root while one service fails.
 *
 * The service calls its callees and then fails, every time. A caller whose call
 * fails on a fail-close edge fails as well, after its attempts; one whose call
 * fails on a fail-open edge may retry it and carries on. A caller makes all of
 * its calls, whatever becomes of each, and makes them again whenever it is
 * called again. So attempts multiply on an edge where an error comes back over
 * it, the edge has a retry policy, and the claim in the error lets it act.
 *
 * Amplification: the load of a service over its load without retries, where the
 * root gets one request. Load adds up over all paths from the root, each with
 * the product of its weights and attempts. It is the largest at the failing
 * service or in front of it: what is reached from there only gets the mean of
 * its callers' loads. A weight below 1 spreads load and not luck: a service
 * that ever calls the failing one is taken to fail on every request. That is
 * exact for the failing service, since all requests that reach it are doomed at
 * each hop and made again there, and an upper bound for what lies beside it.
 *
 * Radius: the consecutive edges, from the failing service up towards the root,
 * over which attempts multiply: the number of retries that stand on top of each
 * other in the call path of one request. Under chain stop a retry is not
 * retried below, so no two stand on each other.
 *
 * Reach: the hops between the failing service and the farthest caller that
 * makes its call again, and so repeats all that lies between. */
typedef struct radius_storm {
  const radius_walk *walk;
  uint64_t steps; /* inbounds visited, over all roots */
  uint32_t epoch;
  uint32_t failing; /* position */
  uint32_t *set;    /* it and all in front of it: callers, then callees */
  uint32_t set_count;
  struct radius_spot *spots; /* by position */
  double *shares;            /* by inbound: of the callee's load */
  double *repeats;           /* by inbound: calls made again for each */
  uint32_t spots_capacity;
  uint32_t *stack; /* of positions */
  uint32_t set_capacity;
  uint32_t stack_capacity;
  uint32_t shares_capacity;
  uint32_t repeats_capacity;
} radius_storm;

typedef struct radius_outcome {
  uint32_t radius;
  double runs; /* how many ways there are to that many consecutive edges */
  uint32_t reach;
  double amplification;
} radius_outcome;

/* Prepares for the root of `walk`, which is borrowed. Zero the storm before the
 * first use. */
void radius_storm_begin(radius_storm *storm, const radius_walk *walk);

/* Chooses the service that fails, by position. */
void radius_storm_fail(radius_storm *storm, uint32_t position);

/* Works out the outcome under `mode`. */
radius_outcome radius_storm_run(radius_storm *storm, const radius_mode *mode);

/* After a run: the load of a service in front of the failing one, or its own,
 * over its load without retries. */
double radius_storm_load(const radius_storm *storm, uint32_t position);

/* After a run: calls `take` with each position that has such edges on both
 * sides, in one of the longest runs of them, and how many lie above it. */
void radius_storm_inside(radius_storm *storm,
                         void (*take)(void *user, uint32_t position,
                                      uint32_t above),
                         void *user);

void radius_storm_clear(radius_storm *storm);

#endif /* EOWN_LAB_RADIUS_STORM_H */
