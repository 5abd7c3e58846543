/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_EVENT_H
#define EOWN_TESTS_BENCH_EVENT_H

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stddef.h>

/* What one completion on the queue calls; its address is the tag. One thread
 * drives one queue for the client and the server together. */
typedef struct event {
  void (*run)(void *owner, bool ok);
  void *owner;
} event;

/* Starts a batch of `n` operations, or ends the program with a message. */
void event_batch(event *event, grpc_call *call, const grpc_op *ops, size_t n);

/* Waits for one completion and runs it; false: the queue is shut down and
 * drained. */
bool event_next(grpc_completion_queue *cq);

/* Ends the program over what cannot happen in a run that counts. */
_Noreturn void event_die(const char *what);

#endif /* EOWN_TESTS_BENCH_EVENT_H */
