/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_QUEUE_H
#define NODE_QUEUE_H

#include <grpc/grpc.h>
#include <pthread.h>
#include <stdbool.h>

/* A completion queue and the thread that runs its events. Everything that
 * belongs to one inbound call happens on one queue, so calls need no locks. */
typedef struct queue {
  grpc_completion_queue *cq;
  pthread_t thread;
} queue;

void queue_init(queue *queue);

/* Starts the thread; false where there is none to be had. */
bool queue_start(queue *queue);

/* Lets the thread run what is left, then ends it and frees the queue. Nothing
 * new may be started on it. */
void queue_stop(queue *queue);

#endif /* NODE_QUEUE_H */
