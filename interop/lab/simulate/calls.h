/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CALLS_H
#define EOWN_LAB_CALLS_H

#include "hop.h"

#define LAB_CALL_NONE UINT32_MAX

/* A call in flight. */
typedef struct lab_call {
  lab_hop hop;
  uint64_t came_us;
  uint32_t caller; /* LAB_CALL_NONE: the root, or nobody waits any more */
  uint32_t callee; /* the attempt it waits for */
  uint32_t next;   /* in the queue, or among the free ones */
  uint32_t ticket; /* changes when what was awaited is over */
  bool is_root;
} lab_call;

/* The calls in flight, by number. Zero it, and set `free` to LAB_CALL_NONE. */
typedef struct lab_calls {
  lab_call *items;
  uint32_t count;
  uint32_t capacity;
  uint32_t free;
} lab_calls;

/* Takes a place for a call, its ticket apart zeroed. The places may move. */
uint32_t lab_calls_take(lab_calls *calls);

void lab_calls_give_back(lab_calls *calls, uint32_t call);

void lab_calls_clear(lab_calls *calls);

/* The queue of a service: calls in their order. Zero it, and set both ends to
 * LAB_CALL_NONE. */
typedef struct lab_queue {
  uint32_t first;
  uint32_t last;
  uint32_t length;
} lab_queue;

void lab_queue_push(lab_queue *queue, lab_calls *calls, uint32_t call);

/* Takes the first; there is one. */
uint32_t lab_queue_pop(lab_queue *queue, const lab_calls *calls);

#endif /* EOWN_LAB_CALLS_H */
