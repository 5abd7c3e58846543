/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_WALK_H
#define EOWN_LAB_WALK_H

#include "hop.h"

/* The fast simulation, for fleets where load has no effect: each root request
 * is walked through depth first, on a stack, without a queue of events. */

/* How long one thread worked on it. */
typedef struct lab_effort {
  double cpu_seconds;  /* of all threads together */
  double wall_seconds; /* from the first request to the last */
} lab_effort;

/* Runs all requests of the model on its threads and fills `*counts`; clear them
 * afterwards. The requests are cut into replicas of the fleet, each with dice,
 * budgets and memories of its own, so the result is the same on any number of
 * threads. */
void lab_walk_run(const lab_model *model, lab_counts *counts,
                  lab_effort *effort);

/* Root requests that one thread has under way, taking turns: while the memory
 * of one hop arrives, the others go on. */
#define LAB_WALKERS 8

/* One of them. */
typedef struct lab_walker {
  lab_hop *hop;     /* NULL: it has no request */
  uint32_t service; /* to be entered; LAB_FLEET_NONE: an edge was picked */
  uint64_t now_ms;
  lab_hop stack[LAB_FLEET_DEPTH_MAX + 1];
} lab_walker;

/* Walks that many requests, one every `ms`, through a replica. `walkers` are
 * LAB_WALKERS, to be used again. */
void lab_walk_requests(lab_replica *replica, lab_walker *walkers,
                       uint64_t requests, double ms);

#endif /* EOWN_LAB_WALK_H */
