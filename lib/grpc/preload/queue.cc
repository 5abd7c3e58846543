// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// gRPC knows of what kind a queue is, but has no question for it in C.
#include "queue.h"

#include <grpc/grpc.h>

grpc_cq_completion_type
grpc_get_cq_completion_type(grpc_completion_queue *queue);

bool eown_queue_is_plucked(grpc_completion_queue *queue) {
  return queue != nullptr &&
         grpc_get_cq_completion_type(queue) == GRPC_CQ_PLUCK;
}
