/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A walker in turns:
 *   1. Enter the service that the last turn asked for, or take the edge that it
 *      picked and ask for its callee.
 *   2. From a service: pick the next edge, or answer; the caller hears of it
 * and enters the callee again, goes on itself, or answers in its turn.
 */
#include "walk.h"

#include "lab/base/interrupt.h"

static void ask_for(lab_replica *replica, lab_walker *walker,
                    uint32_t service) {
  __builtin_prefetch(&replica->sites[service], 1);
  walker->service = service;
}

static void ask_for_callee(lab_replica *replica, lab_walker *walker) {
  const lab_hop *hop = walker->hop;
  ask_for(replica, walker, replica->model->fleet->edges[hop->edge].callee);
}

static void enter(lab_replica *replica, lab_walker *walker) {
  bool root = walker->hop == walker->stack;
  const lab_hop *caller = root ? NULL : walker->hop;
  walker->hop++;
  lab_hop_enter(walker->hop, replica, walker->service, caller);
  lab_hop_count(replica, walker->hop, !root && caller->attempts > 1);
  walker->service = LAB_FLEET_NONE;
}

/* The root has answered. */
static void end_request(lab_replica *replica, lab_walker *walker,
                        const lab_response *response) {
  replica->counts.requests++;
  replica->counts.failures += response->failed;
  replica->counts.useful += response->useful;
  walker->hop = NULL;
}

static void go_on(lab_replica *replica, lab_walker *walker) {
  for (;;) {
    if (lab_hop_has_next(walker->hop)) {
      lab_hop_pick(replica, walker->hop);
      return;
    }
    lab_response response = lab_hop_answer(replica, walker->hop);
    if (walker->hop == walker->stack + 1) {
      end_request(replica, walker, &response);
      return;
    }
    walker->hop--;
    if (!response.failed)
      lab_hop_succeeded(replica, walker->hop, &response);
    else if (lab_hop_retries(replica, walker->hop,
                             (eown_claim)response.claim)) {
      ask_for_callee(replica, walker);
      return;
    }
  }
}

static void take_turn(lab_replica *replica, lab_walker *walker) {
  replica->now_ms = walker->now_ms;
  if (walker->service == LAB_FLEET_NONE) {
    lab_hop_next(replica, walker->hop);
    ask_for_callee(replica, walker);
    return;
  }
  enter(replica, walker);
  go_on(replica, walker);
}

static void start(lab_replica *replica, lab_walker *walker, uint64_t now_ms) {
  walker->hop = walker->stack;
  walker->service = 0;
  walker->now_ms = replica->clock_ms = now_ms;
}

void lab_walk_requests(lab_replica *replica, lab_walker *walkers,
                       uint64_t requests, double ms) {
  uint64_t started = 0, under_way = 0, start_ms = replica->clock_ms;
  for (int i = 0; i < LAB_WALKERS; i++)
    walkers[i].hop = NULL;
  do
    for (int i = 0; i < LAB_WALKERS; i++) {
      lab_walker *walker = &walkers[i];
      if (!walker->hop) {
        if (started == requests || lab_interrupted())
          continue;
        start(replica, walker, start_ms + (uint64_t)((double)started++ * ms));
        under_way++;
      }
      take_turn(replica, walker);
      under_way -= !walker->hop;
    }
  while (under_way > 0 || (started < requests && !lab_interrupted()));
}
