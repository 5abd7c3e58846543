/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include "eown/counters.h"

#include <string.h>
#include <xxhash.h>

void eown__edges_clear(eown__edges *edges) {
  edges->count = 0;
  edges->summarised = false;
}

static eown__edge *find(eown__edges *edges, uint64_t key) {
  for (uint32_t i = 0; i < edges->count; i++) {
    if (edges->edges[i].key == key)
      return &edges->edges[i];
  }
  return NULL;
}

static void name_edge(eown__edge *edge, const char *name, size_t length) {
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  memcpy(edge->name, name, kept);
  edge->name[kept] = '\0';
  edge->name_length = (uint32_t)kept;
}

static eown__edge *start(eown__edge *edge, const eown_outcome *outcome,
                         uint64_t key) {
  edge->key = key;
  edge->statuses = 0;
  edge->pinned = EOWN_EDGE_UNKNOWN;
  name_edge(edge, outcome->method, outcome->method_length);
  return edge;
}

/* The place for a failure on this edge: its own, a new one, or the summary. */
static eown__edge *place(eown__edges *edges, const eown_outcome *outcome,
                         uint64_t key) {
  eown__edge *edge = find(edges, key);
  if (edge != NULL)
    return edge;
  if (edges->count < EOWN_CONTEXT_EDGES)
    return start(&edges->edges[edges->count++], outcome, key);
  eown_count(EOWN_COUNTER_edge_limit);
  edge = &edges->edges[EOWN_CONTEXT_EDGES];
  if (!edges->summarised)
    start(edge, outcome, 0);
  edges->summarised = true;
  return edge;
}

/* A fault on this edge after which the outbound was started: it is the
 * application's own retry (rule 2 b). Calling again after an answer is none. */
static bool repeats(const eown__edge *edge, const eown_outcome *outcome) {
  return edge->key != 0 && (edge->statuses & eown_status_faults()) != 0 &&
         outcome->started >= edge->first_failed;
}

/* All failures of this edge came before the outbound's start: its outcome
 * stands in their place. */
static bool supersedes(const eown__edge *edge, const eown_outcome *outcome) {
  return edge->statuses == 0 ||
         (edge->key != 0 && outcome->started >= edge->last_failed);
}

static void reset(eown__edge *edge, uint32_t now) {
  edge->statuses = 0;
  edge->criteria = false;
  edge->reached = false;
  edge->first_failed = now;
}

static void set_detail(eown__edge *edge, const eown_claim_detail *detail) {
  edge->has_detail = detail != NULL;
  if (detail != NULL)
    edge->detail = *detail;
}

static void fail(eown__edge *edge, const eown_outcome *outcome, uint32_t now) {
  bool repeat = repeats(edge, outcome);
  if (supersedes(edge, outcome))
    reset(edge, now);
  unsigned code = (unsigned)outcome->status < EOWN_STATUS_N
                      ? (unsigned)outcome->status
                      : (unsigned)EOWN_STATUS_UNKNOWN;
  edge->statuses |= 1u << code;
  edge->criteria |=
      eown_rule_criteria(outcome->claim, outcome->attempts >= 2 || repeat,
                         outcome->policy, outcome->retried);
  edge->reached |= outcome->reached;
  edge->claim = outcome->claim;
  edge->attempts = outcome->attempts;
  edge->last_failed = now;
  if (outcome->edge != EOWN_EDGE_UNKNOWN)
    edge->pinned = outcome->edge;
  set_detail(edge, outcome->detail);
}

void eown__edges_record(eown__edges *edges, const eown_outcome *outcome,
                        uint32_t now) {
  uint64_t key = XXH3_64bits(outcome->method, outcome->method_length) | 1u;
  if (outcome->status != EOWN_STATUS_OK) {
    fail(place(edges, outcome, key), outcome, now);
    return;
  }
  eown__edge *edge = find(edges, key);
  if (edge != NULL && supersedes(edge, outcome))
    edge->statuses = 0;
}

bool eown__edges_failed(const eown__edges *edges, const char *name,
                        size_t length) {
  uint64_t key = XXH3_64bits(name, length) | 1u;
  for (uint32_t i = 0; i < edges->count; i++) {
    if (edges->edges[i].key == key)
      return edges->edges[i].statuses != 0;
  }
  return false;
}

static const eown__edge *first(const eown__edges *edges) {
  return edges->count > 0 ? edges->edges : NULL;
}

/* Walks the edges one by one, then the summary. */
static const eown__edge *next(const eown__edges *edges,
                              const eown__edge *edge) {
  const eown__edge *summary = &edges->edges[EOWN_CONTEXT_EDGES];
  if (edge == summary)
    return NULL;
  if (edge + 1 < edges->edges + edges->count)
    return edge + 1;
  return edges->summarised ? summary : NULL;
}

void eown__edges_set_retried(eown__edges *edges) {
  for (uint32_t i = 0; i < edges->count; i++)
    edges->edges[i].criteria = true;
  edges->edges[EOWN_CONTEXT_EDGES].criteria = true;
}

static eown_edge edge_name(const eown__edge *edge, const char *inbound) {
  eown_edge name = {inbound, strlen(inbound), edge->name, edge->name_length};
  return name;
}

/* Pinned where the call was made, pinned here, learned: in this order. */
static eown_edge_kind kind_of(const eown__edge *edge, const char *inbound,
                              const eown_context_view *view) {
  eown_edge_kind kind = edge->pinned;
  eown_edge name = edge_name(edge, inbound);
  if (kind != EOWN_EDGE_UNKNOWN || eown_pins_find(view->pins, &name, &kind))
    return kind;
  if (view->memory != NULL && view->memory->kind != NULL)
    kind = view->memory->kind(view->memory->self, &name);
  return kind;
}

/* An answer that the inbound ends with as well is passed on as it is: nobody
 * need have retried it. */
static bool passed_on(const eown__edge *edge, eown_status status,
                      const eown_context_view *view) {
  return !eown_status_set_has(view->faults, status) &&
         eown_status_set_has(edge->statuses, status);
}

static eown_callee callee_of(const eown__edge *edge) {
  static const eown_callee callees[EOWN_CLAIM_N] = {
      [EOWN_CLAIM_MISSING] = EOWN_CALLEE_MISSING,
      [EOWN_CLAIM_CLAIMED] = EOWN_CALLEE_CLAIMED,
      [EOWN_CLAIM_UNCLAIMED] = EOWN_CALLEE_UNCLAIMED,
  };
  return callees[edge->claim];
}

static eown_reason reason_of(const eown__edge *edge, eown_status status,
                             const char *inbound,
                             const eown_context_view *view) {
  bool answered = passed_on(edge, status, view);
  if ((edge->statuses & view->faults) == 0 && !answered)
    return EOWN_REASON_OWN;
  eown_edge_kind kind = kind_of(edge, inbound, view);
  eown_reason reason =
      eown_rule_matrix(callee_of(edge), true, kind, edge->criteria || answered)
          .reason;
  bool here =
      view->own_unreachable && !edge->reached && kind != EOWN_EDGE_FAIL_OPEN;
  return here ? EOWN_REASON_UNREACHABLE : reason;
}

eown_reason eown__edges_reason(const eown__edges *edges, eown_status status,
                               const char *inbound,
                               const eown_context_view *view,
                               const eown__edge **speaker) {
  eown_reason strongest = EOWN_REASON_OWN;
  *speaker = NULL;
  for (const eown__edge *e = first(edges); e != NULL; e = next(edges, e)) {
    eown_reason reason = reason_of(e, status, inbound, view);
    strongest = eown_rule_strongest(strongest, reason);
    if (reason == strongest && reason != EOWN_REASON_OWN)
      *speaker = e;
  }
  return strongest;
}

void eown__edges_learn(const eown__edges *edges, eown_status status,
                       const char *inbound, const eown_context_view *view) {
  if (view->memory == NULL || view->memory->learn == NULL)
    return;
  bool inbound_failed = eown_status_set_has(view->faults, status);
  for (uint32_t i = 0; i < edges->count; i++) {
    const eown__edge *edge = &edges->edges[i];
    eown_edge name = edge_name(edge, inbound);
    view->memory->learn(view->memory->self, &name,
                        (edge->statuses & view->faults) != 0, inbound_failed,
                        view->now_ms);
  }
}
