/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_EVENT_H
#define NODE_EVENT_H

#include "common/tsan.h"

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The tag of an operation on a completion queue: what to run when it is done.
 * A part of the object it belongs to. */
typedef struct event {
  void (*run)(void *arg, bool ok);
  void *arg;
} event;

/* Starts a batch of `n` operations whose end runs `event`. gRPC refuses only
 * misuse, which is a fault of this program. */
static inline void event_batch(event *event, grpc_call *call,
                               const grpc_op *ops, size_t n) {
  EOWN_INTEROP_RELEASE(event);
  grpc_call_error error = grpc_call_start_batch(call, ops, n, event, NULL);
  if (error == GRPC_CALL_OK)
    return;
  fprintf(stderr, "eown-node: batch refused: %s\n",
          grpc_call_error_to_string(error));
  abort();
}

#endif /* NODE_EVENT_H */
