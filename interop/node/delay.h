/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_DELAY_H
#define NODE_DELAY_H

#include "event.h"

#include <pthread.h>
#include <time.h>

/* Waits: before an answer, or before a call is made again. gRPC has no public
 * timer in C, so one thread waits and then posts an empty batch, which comes
 * out of the call's own queue. */
typedef struct delayed {
  struct delayed *next;
  struct timespec due;
  grpc_call *call;
  event *event;
} delayed;

typedef struct delay {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_t thread;
  delayed *first; /* by when they are due */
  delayed *last;
  bool flushing; /* nobody waits any more */
  bool stopping;
} delay;

/* Starts the thread; false where there is none to be had. */
bool delay_start(delay *delay);

/* Runs `event` on the queue of `call` after `wait_ms`. `item` belongs to the
 * delay until then. */
void delay_add(delay *delay, delayed *item, uint64_t wait_ms, grpc_call *call,
               event *event);

/* Ends all waits, present and future, at once. */
void delay_flush(delay *delay);

/* Ends the thread. Nothing may be waiting. */
void delay_stop(delay *delay);

#endif /* NODE_DELAY_H */
