/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_QUEUE_H
#define EOWN_TESTS_FILTER_QUEUE_H

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stddef.h>

/* Completion queues for plucking, as one thread uses them. Tags are addresses
 * of the caller's. */

/* Starts a batch; ends the program where gRPC refuses it. */
void test_queue_start(grpc_call *call, const grpc_op *ops, size_t count,
                      void *tag);

/* Waits for the tag; true where the operations succeeded. */
bool test_queue_wait(grpc_completion_queue *queue, void *tag);

/* Both. */
bool test_queue_run(grpc_call *call, grpc_completion_queue *queue,
                    const grpc_op *ops, size_t count);

/* Shuts an empty queue down and destroys it. */
void test_queue_close(grpc_completion_queue *queue);

/* A message of `size` bytes, all 'x'; destroy it. */
grpc_byte_buffer *test_message_make(size_t size);

#endif /* EOWN_TESTS_FILTER_QUEUE_H */
