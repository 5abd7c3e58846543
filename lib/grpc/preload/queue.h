/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_QUEUE_H
#define EOWN_PRELOAD_QUEUE_H

#include <grpc/grpc.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether batches on this queue are waited for one by one
 * (grpc_completion_queue_pluck). */
bool eown_queue_is_plucked(grpc_completion_queue *queue);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_PRELOAD_QUEUE_H */
