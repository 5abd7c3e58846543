/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_HOP_H
#define EOWN_LAB_HOP_H

#include "counts.h"
#include "limits.h"
#include "model.h"

/* A service and its counts, side by side: one line of the cache for each hop.
 */
typedef struct lab_site {
  lab_fleet_service service;
  lab_service_counts counts;
} lab_site;

/* One replica of the fleet: what its services share while it is simulated. Used
 * by one thread. */
typedef struct lab_replica {
  const lab_model *model;
  lab_random random;
  lab_site *sites;   /* by service */
  lab_counts counts; /* without those of the services */
  lab_limits limits;
  eown_memory memory;
  void *memory_self; /* of the memory's source; NULL: there is no memory */
  uint64_t now_ms;   /* of the request that is worked on */
  uint64_t clock_ms; /* the same, but never goes back: for limits, memories */
  uint64_t spells;   /* seed of the spells */
  bool healthy;      /* nobody fails yet, nothing counts */
} lab_replica;

void lab_replica_init(lab_replica *replica, const lab_model *model,
                      unsigned number);

/* Begins replica `number` afresh: other dice, full budgets and buckets, nothing
 * learned. The clock goes on, so that budgets forget. */
void lab_replica_reset(lab_replica *replica, uint64_t number);

/* Adds what was counted to `*counts`, for as many services. */
void lab_replica_collect(const lab_replica *replica, lab_counts *counts);

void lab_replica_clear(lab_replica *replica);

/* An outbound that failed, as the inbound keeps it. */
typedef struct lab_failed_edge {
  uint32_t edge;
  uint8_t claim; /* an eown_claim */
  uint8_t attempts;
  bool covered; /* by a policy or a loop that had its say */
} lab_failed_edge;

/* Failed edges a hop keeps apart. Others are a summary, which no later success
 * clears and no memory explains. */
#define LAB_HOP_EDGES 3

/* An inbound call that a service is at work on, and the outbound it waits for.
 */
typedef struct lab_hop {
  uint64_t route;  /* what the request asks for: a retry asks for the same */
  uint64_t onward; /* the same, of the outbound */
  uint32_t service;
  uint32_t edge;       /* of the outbound */
  uint32_t calls_left; /* outbounds to start yet */
  uint32_t useful;     /* calls served below that a success is made of */
  uint8_t attempts;    /* of the outbound, so far */
  uint8_t calls : 4;   /* of a loop that they were made in */
  uint8_t in_call : 4; /* of the attempts, those of the last call */
  uint8_t summary;     /* of failed edges not kept apart: an eown_reason */
  uint8_t edges;       /* failed and kept apart */
  bool fails;          /* by itself, when its outbounds are done */
  bool failed;         /* a fail-close outbound failed */
  bool marked;         /* the request is marked as a retry */
  bool again;          /* a retry was made somewhere on the way here */
  lab_failed_edge failed_edges[LAB_HOP_EDGES];
} lab_hop;

_Static_assert(sizeof(lab_hop) == 64, "a hop is a line of the cache");

/* How a call ended. */
typedef struct lab_response {
  bool failed;
  uint8_t claim; /* an eown_claim */
  uint32_t useful;
} lab_response;

/* Whether the service fails by itself this time. */
bool lab_hop_throw(lab_replica *replica, uint32_t service);

/* Whether the attempt is marked as a retry: by gRPC, by eown's loop, or by eown
 * because the inbound is. A loop written by hand marks nothing. */
static inline bool lab_hop_marks(const lab_hop *hop,
                                 const lab_fleet_service *service) {
  return hop->in_call > 1 ||
         (service->eown && (hop->calls > 1 || (hop->marked && !service->lost)));
}

/* An inbound call arrives at `service`: the outbound of `caller`; NULL for the
 * root. It is made where it stays: copies of what was just written are slow. */
static inline void lab_hop_enter(lab_hop *hop, lab_replica *replica,
                                 uint32_t service, const lab_hop *caller) {
  const lab_fleet_service *own = &replica->sites[service].service;
  *hop = (lab_hop){.service = service, .summary = EOWN_REASON_OWN};
  hop->route = caller ? caller->onward : lab_random_next(&replica->random);
  if (caller) {
    const lab_fleet_service *from = &replica->sites[caller->service].service;
    hop->again = caller->again || caller->attempts > 1;
    hop->marked = lab_hop_marks(caller, from);
  }
  hop->calls_left = own->calls;
  if (own->more_calls)
    hop->calls_left += (uint32_t)lab_random_mix(~hop->route) < own->more_calls;
  if (own->edges == 0)
    hop->calls_left = 0;
  if (own->fails)
    hop->fails = lab_hop_throw(replica, service);
}

_Static_assert(sizeof(lab_site) == 64, "a site is a line of the cache");

/* Counts the arrival. */
static inline void lab_hop_count(lab_replica *replica, const lab_hop *hop,
                                 bool retry) {
  lab_service_counts *counts = &replica->sites[hop->service].counts;
  replica->counts.hops++;
  counts->served++;
  counts->first += !hop->again;
  counts->retries += retry;
}

/* Whether another outbound is to be started: the first fail-close failure ends
 * the work, but not of a service that fails by itself anyway (as in eown-node).
 */
static inline bool lab_hop_has_next(const lab_hop *hop) {
  return hop->calls_left > 0 && (!hop->failed || hop->fails);
}

/* Starts the next outbound, in two steps between which the line of the cache
 * may arrive: where the draw falls, and its first attempt. */
static inline void lab_hop_pick(lab_replica *replica, lab_hop *hop) {
  const lab_fleet_service *service = &replica->sites[hop->service].service;
  hop->calls_left--;
  hop->onward = lab_random_mix(hop->route + hop->calls_left);
  hop->edge = lab_fleet_place(service, hop->calls_left, hop->onward);
  __builtin_prefetch(&replica->model->fleet->edges[hop->edge]);
}

static inline void lab_hop_next(lab_replica *replica, lab_hop *hop) {
  hop->edge = lab_fleet_draw(replica->model->fleet, hop->edge, hop->onward);
  hop->attempts = hop->calls = hop->in_call = 1;
  lab_limits_deposit(&replica->limits, hop->edge, replica->clock_ms);
}

/* An attempt succeeded: that clears an earlier failure of its edge. */
void lab_hop_clear_edge(lab_hop *hop);
static inline void lab_hop_succeeded(lab_replica *replica, lab_hop *hop,
                                     const lab_response *response) {
  hop->useful += response->useful;
  if (hop->edges > 0)
    lab_hop_clear_edge(hop);
  if (replica->limits.tokens)
    lab_limits_throttle_success(&replica->limits, hop->edge);
}

/* An attempt ended in an error with this claim. True: the next attempt is to be
 * made, and is counted as begun. False: the outbound has failed, and the hop
 * knows. By rules 1 to 3, and gRPC's retry policy or the
 * application's loop. */
bool lab_hop_retries(lab_replica *replica, lab_hop *hop, eown_claim claim);

/* How the inbound call ends; the memory is told. */
lab_response lab_hop_answer_error(lab_replica *replica, const lab_hop *hop);
void lab_hop_learn(lab_replica *replica, const lab_hop *hop, bool failed);
static inline lab_response lab_hop_answer(lab_replica *replica,
                                          const lab_hop *hop) {
  if (hop->fails || hop->failed)
    return lab_hop_answer_error(replica, hop);
  if (replica->memory_self)
    lab_hop_learn(replica, hop, false);
  return (lab_response){.useful = hop->useful + 1};
}

#endif /* EOWN_LAB_HOP_H */
