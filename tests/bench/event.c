/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "event.h"

#include <stdio.h>
#include <stdlib.h>

void event_die(const char *what) {
  fprintf(stderr, "eown-bench: %s\n", what);
  exit(1);
}

void event_batch(event *event, grpc_call *call, const grpc_op *ops, size_t n) {
  if (grpc_call_start_batch(call, ops, n, event, NULL) != GRPC_CALL_OK)
    event_die("a batch of operations was refused");
}

bool event_next(grpc_completion_queue *cq) {
  grpc_event next =
      grpc_completion_queue_next(cq, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
  if (next.type == GRPC_QUEUE_SHUTDOWN)
    return false;
  event *event = next.tag;
  event->run(event->owner, next.success != 0);
  return true;
}
