/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include "lab/base/failure.h"

#include <stdlib.h>

static void grow(lab_calls *calls) {
  uint32_t capacity = calls->capacity ? calls->capacity * 2 : 1024;
  lab_call *items = realloc(calls->items, capacity * sizeof(*items));
  if (!items)
    lab_fail("out of memory");
  calls->items = items;
  calls->capacity = capacity;
}

uint32_t lab_calls_take(lab_calls *calls) {
  uint32_t at = calls->free;
  uint32_t ticket = 0;
  if (at != LAB_CALL_NONE) {
    calls->free = calls->items[at].next;
    ticket = calls->items[at].ticket;
  } else {
    if (calls->count == calls->capacity)
      grow(calls);
    at = calls->count++;
  }
  calls->items[at] = (lab_call){.ticket = ticket + 1,
                                .caller = LAB_CALL_NONE,
                                .callee = LAB_CALL_NONE,
                                .next = LAB_CALL_NONE};
  return at;
}

void lab_calls_give_back(lab_calls *calls, uint32_t call) {
  calls->items[call].ticket++;
  calls->items[call].next = calls->free;
  calls->free = call;
}

void lab_calls_clear(lab_calls *calls) {
  free(calls->items);
  *calls = (lab_calls){.free = LAB_CALL_NONE};
}

void lab_queue_push(lab_queue *queue, lab_calls *calls, uint32_t call) {
  calls->items[call].next = LAB_CALL_NONE;
  if (queue->length++ == 0)
    queue->first = call;
  else
    calls->items[queue->last].next = call;
  queue->last = call;
}

uint32_t lab_queue_pop(lab_queue *queue, const lab_calls *calls) {
  uint32_t call = queue->first;
  queue->first = calls->items[call].next;
  queue->length--;
  return call;
}
