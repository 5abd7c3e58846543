/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_EDGES_H
#define EOWN_EDGES_H

#include "eown/context.h"

/* What is kept of the detail that came with a failure. */
typedef enum eown__detail_kind {
  EOWN__DETAIL_NONE,
  EOWN__DETAIL_READ,
  EOWN__DETAIL_BYTES, /* not read yet */
  EOWN__DETAIL_TOO_LONG
} eown__detail_kind;

/* One edge of an inbound on which an outbound failed. */
typedef struct eown__edge {
  uint64_t key;          /* hash of the outbound's whole name */
  uint32_t first_failed; /* when, in the context's order of events */
  uint32_t last_failed;
  eown_status_set statuses;  /* ended with since the last success; 0: cleared */
  eown_status_set satisfied; /* those of them whose retry criteria were met */
  eown_status_set unclaimed; /* those of them that came unclaimed */
  bool reached;              /* any of them reached a callee */
  eown__detail_kind detail_kind;
  eown_edge_kind pinned; /* where the call was made; UNKNOWN: not pinned */
  uint32_t attempts;     /* of the last failure */
  uint32_t name_length;
  char name[EOWN_METHOD_MAX + 1];
  uint16_t detail_length;
  union {
    eown_claim_detail read;
    uint8_t bytes[EOWN_CLAIM_DETAIL_MAX];
  } detail; /* received with the last failure */
} eown__edge;

/* The failed edges of one inbound: EOWN_CONTEXT_EDGES one by one, and for all
 * others two summaries, which no success clears: one for calls pinned as
 * fail-open where they were made, one for the rest. The caller locks. */
enum { EOWN__SUMMARY_REST, EOWN__SUMMARY_FAIL_OPEN, EOWN__SUMMARIES };
typedef struct eown__edges {
  uint32_t count;      /* one by one */
  uint32_t summarised; /* bit n: summary n is in use */
  eown__edge edges[EOWN_CONTEXT_EDGES + EOWN__SUMMARIES];
} eown__edges;

/* Empties the edges. */
void eown__edges_clear(eown__edges *edges);

/* The detail that came with the edge's last failure. Returns false where there
 * is none that parses, and counts one that does not. */
bool eown__edge_detail(const eown__edge *edge, eown_claim_detail *detail);

/* Records how an outbound ended; `now` is the moment of a failure. */
void eown__edges_record(eown__edges *edges, const eown_outcome *outcome,
                        uint32_t now);

/* Says whether an outbound on this edge failed last, with a fault. */
bool eown__edges_failed(eown__edges *edges, const char *name, size_t length);

/* A loop ended with a failure of this edge: the attempts of all its calls, and
 * whether it has had its retry. */
void eown__edges_note_loop(eown__edges *edges, const char *name, size_t length,
                           eown_status status, uint32_t attempts,
                           bool held_back);

/* The application says that what failed so far has had its retry. */
void eown__edges_set_retried(eown__edges *edges);

/* Rule 3 over all edges: the strongest reason, OWN where none failed. The edge
 * that speaks goes to `*speaker` (NULL where there is none). */
eown_reason eown__edges_reason(const eown__edges *edges, eown_status status,
                               const char *inbound,
                               const eown_context_view *view,
                               const eown__edge **speaker);

/* Tells the memory how the edges and the inbound ended. */
void eown__edges_learn(const eown__edges *edges, eown_status status,
                       const char *inbound, const eown_context_view *view);

#endif /* EOWN_EDGES_H */
