/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "queue.h"

#include <grpc/byte_buffer.h>
#include <grpc/support/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tsan.h"

void test_queue_start(grpc_call *call, const grpc_op *ops, size_t count,
                      void *tag) {
  TEST_RELEASE(tag);
  grpc_call_error error = grpc_call_start_batch(call, ops, count, tag, NULL);
  if (error == GRPC_CALL_OK)
    return;
  fprintf(stderr, "grpc_call_start_batch: %s\n",
          grpc_call_error_to_string(error));
  abort();
}

bool test_queue_wait(grpc_completion_queue *queue, void *tag) {
  grpc_event event = grpc_completion_queue_pluck(
      queue, tag, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
  TEST_ACQUIRE(tag);
  return event.type == GRPC_OP_COMPLETE && event.success;
}

bool test_queue_run(grpc_call *call, grpc_completion_queue *queue,
                    const grpc_op *ops, size_t count) {
  char tag;
  test_queue_start(call, ops, count, &tag);
  return test_queue_wait(queue, &tag);
}

void test_queue_close(grpc_completion_queue *queue) {
  grpc_completion_queue_shutdown(queue);
  grpc_completion_queue_destroy(queue);
}

grpc_byte_buffer *test_message_make(size_t size) {
  grpc_slice slice = grpc_slice_malloc(size);
  memset(GRPC_SLICE_START_PTR(slice), 'x', size);
  grpc_byte_buffer *message = grpc_raw_byte_buffer_create(&slice, 1);
  grpc_slice_unref(slice);
  return message;
}
