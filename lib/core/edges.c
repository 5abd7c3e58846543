/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "edges.h"

#include "eown/counters.h"

#include <string.h>
#include <xxhash.h>

void eown__edges_clear(eown__edges *edges) {
  edges->count = 0;
  edges->summarised = 0;
}

static uint64_t key_of(const char *name, size_t length) {
  return XXH3_64bits(name, length) | 1u; /* 0 is for the summaries */
}

static eown__edge *find(eown__edges *edges, uint64_t key) {
  for (uint32_t i = 0; i < edges->count; i++) {
    if (edges->edges[i].key == key)
      return &edges->edges[i];
  }
  return NULL;
}

static eown__edge *start(eown__edge *edge, const eown_outcome *outcome,
                         uint64_t key) {
  size_t length = outcome->method_length;
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  memcpy(edge->name, outcome->method, kept);
  edge->name[kept] = '\0';
  edge->name_length = (uint32_t)kept;
  edge->key = key;
  edge->statuses = 0;
  edge->satisfied = 0;
  edge->unclaimed = 0;
  edge->reached = false;
  edge->pinned = EOWN_EDGE_UNKNOWN;
  return edge;
}

static bool has_fault(const eown__edge *edge) {
  return (edge->statuses & eown_status_faults()) != 0;
}

/* A place that says nothing any more, or only of an answer. */
static eown__edge *spare(eown__edges *edges) {
  eown__edge *answered = NULL;
  for (uint32_t i = 0; i < edges->count; i++) {
    eown__edge *edge = &edges->edges[i];
    if (edge->statuses == 0)
      return edge;
    if (!has_fault(edge))
      answered = edge;
  }
  return answered;
}

static eown__edge *summary(eown__edges *edges, const eown_outcome *outcome) {
  uint32_t n = outcome->edge == EOWN_EDGE_FAIL_OPEN ? EOWN__SUMMARY_FAIL_OPEN
                                                    : EOWN__SUMMARY_REST;
  eown__edge *edge = &edges->edges[EOWN_CONTEXT_EDGES + n];
  if ((edges->summarised & 1u << n) == 0)
    start(edge, outcome, 0);
  edges->summarised |= 1u << n;
  eown_count(EOWN_COUNTER_edge_limit);
  return edge;
}

/* The place for a failure: its edge's own, a free one, or a summary. */
static eown__edge *place(eown__edges *edges, const eown_outcome *outcome,
                         uint64_t key) {
  eown__edge *edge = find(edges, key);
  if (edge != NULL)
    return edge;
  if (edges->count < EOWN_CONTEXT_EDGES)
    return start(&edges->edges[edges->count++], outcome, key);
  edge = spare(edges);
  return edge != NULL ? start(edge, outcome, key) : summary(edges, outcome);
}

/* A fault on this edge after which the outbound was started: it is the
 * application's own retry (rule 2 b). Calling again after an answer is none. */
static bool repeats(const eown__edge *edge, const eown_outcome *outcome) {
  return has_fault(edge) && outcome->started >= edge->first_failed;
}

/* All failures of this edge came before the outbound's start: its outcome
 * stands in their place. A summary's failures may be of other edges. */
static bool supersedes(const eown__edge *edge, const eown_outcome *outcome) {
  return edge->statuses == 0 ||
         (edge->key != 0 && outcome->started >= edge->last_failed);
}

/* What was reached stays reached until a success clears the edge. */
static void reset(eown__edge *edge, uint32_t now) {
  if (edge->statuses == 0)
    edge->reached = false;
  edge->statuses = 0;
  edge->satisfied = 0;
  edge->unclaimed = 0;
  edge->pinned = EOWN_EDGE_UNKNOWN;
  edge->first_failed = now;
}

static eown_status_set bit_of(eown_status status) {
  unsigned code = (unsigned)status;
  return 1u << (code < EOWN_STATUS_N ? code : (unsigned)EOWN_STATUS_UNKNOWN);
}

/* A detail without a claim that is believed is not believed either. */
static void keep_detail(eown__edge *edge, const eown_outcome *outcome) {
  edge->detail_kind = EOWN__DETAIL_NONE;
  if (outcome->claim == EOWN_CLAIM_MISSING)
    return;
  if (outcome->detail != NULL) {
    edge->detail_kind = EOWN__DETAIL_READ;
    edge->detail.read = *outcome->detail;
  } else if (outcome->detail_length > EOWN_CLAIM_DETAIL_MAX) {
    edge->detail_kind = EOWN__DETAIL_TOO_LONG;
  } else if (outcome->detail_bytes != NULL) {
    edge->detail_kind = EOWN__DETAIL_BYTES;
    edge->detail_length = (uint16_t)outcome->detail_length;
    memcpy(edge->detail.bytes, outcome->detail_bytes, outcome->detail_length);
  }
}

bool eown__edge_detail(const eown__edge *edge, eown_claim_detail *detail) {
  switch (edge->detail_kind) {
  case EOWN__DETAIL_NONE:
    return false;
  case EOWN__DETAIL_READ:
    *detail = edge->detail.read;
    return true;
  case EOWN__DETAIL_BYTES:
    if (eown_claim_detail_decode(edge->detail.bytes, edge->detail_length,
                                 detail))
      return true;
    break;
  case EOWN__DETAIL_TOO_LONG:
    break;
  }
  eown_count_method(EOWN_COUNTER_malformed_detail, edge->name,
                    edge->name_length);
  return false;
}

static void fail(eown__edge *edge, const eown_outcome *outcome, uint32_t now) {
  bool repeat = repeats(edge, outcome);
  if (supersedes(edge, outcome))
    reset(edge, now);
  edge->statuses |= bit_of(outcome->status);
  if (eown_rule_criteria(outcome->claim, outcome->attempts >= 2 || repeat,
                         outcome->policy, outcome->retried))
    edge->satisfied |= bit_of(outcome->status);
  edge->reached |= outcome->reached;
  if (outcome->claim == EOWN_CLAIM_UNCLAIMED)
    edge->unclaimed |= bit_of(outcome->status);
  edge->attempts = outcome->attempts;
  edge->last_failed = now;
  if (outcome->edge != EOWN_EDGE_UNKNOWN)
    edge->pinned = outcome->edge;
  keep_detail(edge, outcome);
}

void eown__edges_record(eown__edges *edges, const eown_outcome *outcome,
                        uint32_t now) {
  uint64_t key = key_of(outcome->method, outcome->method_length);
  if (outcome->status != EOWN_STATUS_OK) {
    fail(place(edges, outcome, key), outcome, now);
    return;
  }
  eown__edge *edge = find(edges, key);
  if (edge != NULL && supersedes(edge, outcome))
    edge->statuses = 0;
}

bool eown__edges_failed(eown__edges *edges, const char *name, size_t length) {
  const eown__edge *edge = find(edges, key_of(name, length));
  return edge != NULL && has_fault(edge);
}

void eown__edges_note_loop(eown__edges *edges, const char *name, size_t length,
                           eown_status status, uint32_t attempts,
                           bool held_back) {
  eown__edge *edge = find(edges, key_of(name, length));
  if (edge == NULL)
    return;
  edge->attempts = attempts;
  if (held_back)
    edge->satisfied |= edge->statuses & bit_of(status);
}

/* Walks the edges one by one, then the summaries in use; NULL at the end. */
static const eown__edge *walk(const eown__edges *edges, uint32_t *at) {
  uint32_t end = EOWN_CONTEXT_EDGES + EOWN__SUMMARIES;
  while (*at < end) {
    uint32_t i = (*at)++;
    bool used = i < EOWN_CONTEXT_EDGES
                    ? i < edges->count
                    : (edges->summarised >> (i - EOWN_CONTEXT_EDGES) & 1u) != 0;
    if (used)
      return &edges->edges[i];
  }
  return NULL;
}

void eown__edges_set_retried(eown__edges *edges) {
  for (uint32_t i = 0; i < EOWN_CONTEXT_EDGES + EOWN__SUMMARIES; i++)
    edges->edges[i].satisfied = edges->edges[i].statuses;
}

static eown_edge edge_name(const eown__edge *edge, const char *inbound) {
  eown_edge name = {inbound, strlen(inbound), edge->name, edge->name_length};
  return name;
}

/* Pinned where the call was made, pinned here, learned: in this order. The
 * names behind a summary are gone. */
static eown_edge_kind kind_of(const eown__edge *edge, const char *inbound,
                              const eown_context_view *view) {
  eown_edge_kind kind = edge->pinned;
  eown_edge name = edge_name(edge, inbound);
  if (kind != EOWN_EDGE_UNKNOWN || edge->key == 0 ||
      eown_pins_find(view->pins, &name, &kind))
    return kind;
  if (view->memory != NULL && view->memory->kind != NULL)
    kind = view->memory->kind(view->memory->self, &name, view->now_ms);
  return kind;
}

/* An answer that the inbound ends with as well is passed on as it is: nobody
 * need have retried it. */
static bool passed_on(const eown__edge *edge, eown_status status,
                      const eown_context_view *view) {
  return !eown_status_set_has(view->faults, status) &&
         eown_status_set_has(edge->statuses, status);
}

/* MISSING and CLAIMED are one here: the matrix says the same of both. */
static eown_callee callee_of(const eown__edge *edge, eown_status_set faults) {
  return (edge->unclaimed & faults) != 0 ? EOWN_CALLEE_UNCLAIMED
                                         : EOWN_CALLEE_MISSING;
}

static eown_reason reason_of(const eown__edge *edge, eown_status status,
                             const char *inbound,
                             const eown_context_view *view) {
  eown_status_set faults = edge->statuses & view->faults;
  bool answered = passed_on(edge, status, view);
  if (faults == 0 && !answered)
    return EOWN_REASON_OWN;
  eown_edge_kind kind = kind_of(edge, inbound, view);
  bool criteria = answered || (edge->satisfied & faults) != 0;
  bool here = view->own_unreachable && !edge->reached && !answered &&
              kind != EOWN_EDGE_FAIL_OPEN;
  return here ? EOWN_REASON_UNREACHABLE
              : eown_rule_matrix(callee_of(edge, faults), true, kind, criteria)
                    .reason;
}

eown_reason eown__edges_reason(const eown__edges *edges, eown_status status,
                               const char *inbound,
                               const eown_context_view *view,
                               const eown__edge **speaker) {
  eown_reason strongest = EOWN_REASON_OWN;
  uint32_t at = 0;
  *speaker = NULL;
  for (const eown__edge *edge; (edge = walk(edges, &at)) != NULL;) {
    eown_reason reason = reason_of(edge, status, inbound, view);
    strongest = eown_rule_strongest(strongest, reason);
    if (reason == strongest && reason != EOWN_REASON_OWN)
      *speaker = edge;
  }
  return strongest;
}

static eown_edge_end end_of(const eown__edge *edge, const char *inbound,
                            const eown_context_view *view) {
  eown_edge_end end = {.edge = edge_name(edge, inbound),
                       .failed = (edge->statuses & view->faults) != 0,
                       .pinned = edge->pinned};
  if (end.pinned == EOWN_EDGE_UNKNOWN)
    eown_pins_find(view->pins, &end.edge, &end.pinned);
  return end;
}

/* Any error counts as the inbound's failure: a handler may turn a fault below
 * into an answer of its own. */
void eown__edges_learn(const eown__edges *edges, eown_status status,
                       const char *inbound, const eown_context_view *view) {
  if (view->memory == NULL || view->memory->learn == NULL)
    return;
  eown_edge_end ends[EOWN_CONTEXT_EDGES];
  for (uint32_t i = 0; i < edges->count; i++)
    ends[i] = end_of(&edges->edges[i], inbound, view);
  eown_inbound_end end = {.inbound = inbound,
                          .inbound_length = strlen(inbound),
                          .failed = status != EOWN_STATUS_OK,
                          .more = edges->summarised,
                          .edge_count = edges->count,
                          .edges = ends};
  view->memory->learn(view->memory->self, &end, view->now_ms);
}
