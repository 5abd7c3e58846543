/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "events.h"

#include "lab/base/failure.h"

#include <stdlib.h>

static bool is_before(const lab_event *a, const lab_event *b) {
  return a->time_us != b->time_us ? a->time_us < b->time_us
                                  : a->number < b->number;
}

static void grow(lab_events *events) {
  size_t capacity = events->capacity ? events->capacity * 2 : 1024;
  lab_event *items = realloc(events->items, capacity * sizeof(*items));
  if (!items)
    lab_fail("out of memory");
  events->items = items;
  events->capacity = capacity;
}

void lab_events_add(lab_events *events, lab_event event) {
  if (events->count == events->capacity)
    grow(events);
  event.number = events->added++;
  size_t at = events->count++;
  while (at > 0 && is_before(&event, &events->items[(at - 1) / 2])) {
    events->items[at] = events->items[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  events->items[at] = event;
}

/* Moves `event` down from the top to its place. */
static void sift(lab_events *events, const lab_event *event) {
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < events->count; at = child) {
    const lab_event *items = events->items;
    if (child + 1 < events->count &&
        is_before(&items[child + 1], &items[child]))
      child++;
    if (!is_before(&items[child], event))
      break;
    events->items[at] = items[child];
  }
  events->items[at] = *event;
}

bool lab_events_take(lab_events *events, lab_event *event) {
  if (events->count == 0)
    return false;
  *event = events->items[0];
  lab_event last = events->items[--events->count];
  if (events->count > 0)
    sift(events, &last);
  return true;
}

void lab_events_clear(lab_events *events) {
  free(events->items);
  *events = (lab_events){0};
}
