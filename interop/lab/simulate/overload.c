/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A call in steps:
 *   1. COME: it comes to its service. The overloaded one takes it to its queue
 *      or refuses it; any other works for `hop_ms`.
 *   2. SERVED: the overloaded service is done with the first in its queue.
 *   3. PROCEED: it calls its callees one after the other, each by 1.
 *   4. It answers; its caller hears of it, makes another attempt (AGAIN, after
 *      the backoff) or proceeds.
 *   TIMEOUT: the caller no longer waits for its attempt.
 */
#include "overload.h"

#include "calls.h"
#include "events.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { ARRIVE, SERVED, PROCEED, AGAIN, TIMEOUT };

typedef struct engine {
  const lab_model *model;
  const lab_overload *overload;
  lab_replica replica;
  lab_events events;
  lab_calls calls;
  lab_queue queue;
  bool busy;
  uint64_t now_us;
  uint64_t start_ms;  /* of the replica's clock */
  double *timeout_ms; /* of calls to a service */
  lab_curve *curve;
} engine;

static void proceed(engine *self, uint32_t call);

static lab_second *second(engine *self) {
  uint64_t at = self->now_us / 1000000;
  return &self->curve
              ->seconds[at < self->curve->count ? at : self->curve->count - 1];
}

static void schedule(engine *self, double ms, uint32_t kind, uint32_t call) {
  uint32_t ticket = call == LAB_CALL_NONE ? 0 : self->calls.items[call].ticket;
  lab_events_add(&self->events,
                 (lab_event){.time_us = self->now_us + (uint64_t)(ms * 1000),
                             .kind = kind,
                             .call = call,
                             .ticket = ticket});
}

static bool in_trigger(const engine *self) {
  double start = self->overload->trigger_start * 1e6;
  double end = start + self->overload->trigger_seconds * 1e6;
  return (double)self->now_us >= start && (double)self->now_us < end;
}

/* The service begins with the first in its queue. */
static void serve(engine *self) {
  double capacity = self->overload->capacity;
  if (in_trigger(self))
    capacity *= self->overload->trigger_factor;
  self->busy = self->queue.length > 0;
  if (self->busy)
    schedule(self, 1000 / capacity, SERVED, LAB_CALL_NONE);
}

static void end_attempt(engine *self, uint32_t call, lab_response response);

/* The call is over: its caller hears of it, if it still waits. */
static void answer(engine *self, uint32_t at) {
  lab_call *call = &self->calls.items[at];
  lab_response response = lab_hop_answer(&self->replica, &call->hop);
  uint32_t caller = call->caller;
  if (call->is_root) {
    second(self)->requests++;
    second(self)->failures += response.failed;
    self->replica.counts.requests++;
    self->replica.counts.failures += response.failed;
    self->replica.counts.useful += response.useful;
  }
  lab_calls_give_back(&self->calls, at);
  if (caller != LAB_CALL_NONE)
    end_attempt(self, caller, response);
}

static void come_to_queue(engine *self, uint32_t at) {
  second(self)->load++;
  if (self->queue.length >= self->overload->queue) {
    self->calls.items[at].hop.fails = true;
    self->calls.items[at].hop.calls_left = 0;
    answer(self, at);
    return;
  }
  self->calls.items[at].came_us = self->now_us;
  lab_queue_push(&self->queue, &self->calls, at);
  if (!self->busy)
    serve(self);
}

static uint32_t come(engine *self, uint32_t service, uint32_t caller) {
  uint32_t at = lab_calls_take(&self->calls);
  lab_call *call = &self->calls.items[at];
  const lab_hop *from =
      caller == LAB_CALL_NONE ? NULL : &self->calls.items[caller].hop;
  lab_hop_enter(&call->hop, &self->replica, service, from);
  call->caller = caller;
  call->is_root = !from;
  lab_hop_count(&self->replica, &call->hop, from && from->attempts > 1);
  return at;
}

/* Sends the attempt. */
static void send(engine *self, uint32_t at) {
  const lab_hop *hop = &self->calls.items[at].hop;
  uint32_t service = self->model->fleet->edges[hop->edge].callee;
  uint32_t callee = come(self, service, at);
  self->calls.items[at].callee = callee;
  if (self->overload->timeout_ms > 0)
    schedule(self, self->timeout_ms[service], TIMEOUT, at);
  if (service == self->overload->service)
    come_to_queue(self, callee);
  else
    schedule(self, self->overload->hop_ms, PROCEED, callee);
}

static void proceed(engine *self, uint32_t at) {
  lab_hop *hop = &self->calls.items[at].hop;
  if (!lab_hop_has_next(hop)) {
    answer(self, at);
    return;
  }
  lab_hop_pick(&self->replica, hop);
  lab_hop_next(&self->replica, hop);
  send(self, at);
}

/* Full jitter, as gRPC's. */
static double backoff(engine *self) {
  return 2 * self->overload->backoff_ms *
         lab_random_unit(&self->replica.random);
}

static void end_attempt(engine *self, uint32_t at, lab_response response) {
  lab_call *call = &self->calls.items[at];
  call->ticket++;
  call->callee = LAB_CALL_NONE;
  if (!response.failed)
    lab_hop_succeeded(&self->replica, &call->hop, &response);
  else if (lab_hop_retries(&self->replica, &call->hop,
                           (eown_claim)response.claim)) {
    schedule(self, backoff(self), AGAIN, at);
    return;
  }
  proceed(self, at);
}

/* The callee works on for nobody. */
static void give_up(engine *self, uint32_t at) {
  uint32_t callee = self->calls.items[at].callee;
  self->calls.items[callee].caller = LAB_CALL_NONE;
  end_attempt(self, at,
              (lab_response){.failed = true, .claim = EOWN_CLAIM_MISSING});
}

static void served(engine *self) {
  uint32_t at = lab_queue_pop(&self->queue, &self->calls);
  lab_call *call = &self->calls.items[at];
  double waited_ms = (double)(self->now_us - call->came_us) / 1000;
  bool late = waited_ms > self->overload->patience_ms;
  second(self)->wasted += late;
  second(self)->done += !late;
  call->hop.fails |= late;
  serve(self);
  proceed(self, at);
}

static void arrive(engine *self) {
  double gap_ms = -log1p(-lab_random_unit(&self->replica.random)) * 1000 /
                  self->model->rate;
  schedule(self, gap_ms, ARRIVE, LAB_CALL_NONE);
  uint32_t at = come(self, 0, LAB_CALL_NONE);
  if (self->overload->service == 0)
    come_to_queue(self, at);
  else
    schedule(self, self->overload->hop_ms, PROCEED, at);
}

static void handle(engine *self, const lab_event *event) {
  bool outdated = event->call != LAB_CALL_NONE &&
                  self->calls.items[event->call].ticket != event->ticket;
  if (outdated)
    return;
  switch (event->kind) {
  case ARRIVE:
    arrive(self);
    return;
  case SERVED:
    served(self);
    return;
  case PROCEED:
    proceed(self, event->call);
    return;
  case AGAIN:
    send(self, event->call);
    return;
  default:
    give_up(self, event->call);
  }
}

/* Notes the length of the queue for the seconds that have passed. */
static void pass_time(engine *self, uint64_t time_us) {
  for (uint64_t at = self->now_us / 1000000; at < time_us / 1000000; at++)
    if (at < self->curve->count)
      self->curve->seconds[at].queue = self->queue.length;
  self->now_us = time_us;
  self->replica.now_ms = self->start_ms + time_us / 1000;
  self->replica.clock_ms = self->replica.now_ms;
}

static void play(engine *self) {
  lab_event event;
  uint64_t end_us = (uint64_t)(self->overload->seconds * 1e6);
  arrive(self);
  while (lab_events_take(&self->events, &event) && event.time_us < end_us &&
         !lab_interrupted()) {
    pass_time(self, event.time_us);
    handle(self, &event);
  }
  pass_time(self, end_us);
}

void lab_overload_run(const lab_model *model, const lab_overload *overload,
                      lab_counts *counts, lab_curve *curve,
                      lab_effort *effort) {
  clock_t begin = clock();
  engine self = {.model = model, .overload = overload, .curve = curve};
  self.calls.free = LAB_CALL_NONE;
  lab_curve_init(curve, overload);
  lab_replica_init(&self.replica, model, 0);
  lab_replica_reset(&self.replica, 0);
  self.start_ms = self.replica.now_ms;
  self.timeout_ms = lab_overload_make_timeouts(overload, model->fleet);
  play(&self);
  lab_curve_find_recovery(curve, overload);
  lab_counts_init(counts, model->fleet->count);
  lab_replica_collect(&self.replica, counts);
  lab_replica_clear(&self.replica);
  free(self.timeout_ms);
  lab_events_clear(&self.events);
  lab_calls_clear(&self.calls);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  *effort = (lab_effort){.cpu_seconds = seconds, .wall_seconds = seconds};
}
