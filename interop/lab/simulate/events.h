/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_EVENTS_H
#define EOWN_LAB_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is to happen, and when. */
typedef struct lab_event {
  uint64_t time_us;
  uint64_t number; /* of those at one time the one added first comes first */
  uint32_t kind;   /* the user's */
  uint32_t call;
  uint32_t ticket;
} lab_event;

/* A queue of events by time (a binary heap). Zero it before use. */
typedef struct lab_events {
  lab_event *items;
  size_t count;
  size_t capacity;
  uint64_t added;
} lab_events;

/* Adds an event; its number is filled in. */
void lab_events_add(lab_events *events, lab_event event);

/* Takes the next one; false where none is left. */
bool lab_events_take(lab_events *events, lab_event *event);

void lab_events_clear(lab_events *events);

#endif /* EOWN_LAB_EVENTS_H */
