/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "queue.h"

#include "event.h"

static void *run(void *arg) {
  queue *queue = arg;
  for (;;) {
    grpc_event done = grpc_completion_queue_next(
        queue->cq, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
    if (done.type == GRPC_QUEUE_SHUTDOWN)
      return NULL;
    EOWN_INTEROP_ACQUIRE(done.tag);
    event *event = done.tag;
    event->run(event->arg, done.success != 0);
  }
}

void queue_init(queue *queue) {
  queue->cq = grpc_completion_queue_create_for_next(NULL);
}

bool queue_start(queue *queue) {
  return pthread_create(&queue->thread, NULL, run, queue) == 0;
}

void queue_stop(queue *queue) {
  grpc_completion_queue_shutdown(queue->cq);
  pthread_join(queue->thread, NULL);
  grpc_completion_queue_destroy(queue->cq);
}
