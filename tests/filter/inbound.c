/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "inbound.h"

#include <grpc/byte_buffer.h>

#include "queue.h"

bool test_inbound_read(test_inbound *inbound, size_t *size) {
  grpc_byte_buffer *message = NULL;
  grpc_op op = {.op = GRPC_OP_RECV_MESSAGE,
                .data.recv_message.recv_message = &message};
  bool read = test_queue_run(inbound->call, inbound->queue, &op, 1);
  *size = message == NULL ? 0 : grpc_byte_buffer_length(message);
  bool got = read && message != NULL;
  grpc_byte_buffer_destroy(message);
  return got;
}

static grpc_op headers_op(const test_answer *answer, grpc_metadata *fields) {
  size_t count = test_metadata_fill(fields, answer->headers);
  return (grpc_op){
      .op = GRPC_OP_SEND_INITIAL_METADATA,
      .data.send_initial_metadata = {.count = count, .metadata = fields}};
}

static void send_message(test_inbound *inbound, size_t size) {
  grpc_byte_buffer *message = test_message_make(size);
  grpc_op op = {.op = GRPC_OP_SEND_MESSAGE,
                .data.send_message.send_message = message};
  test_queue_run(inbound->call, inbound->queue, &op, 1);
  grpc_byte_buffer_destroy(message);
}

void test_inbound_send(test_inbound *inbound, const test_answer *answer) {
  grpc_metadata fields[TEST_FIELDS_MAX];
  grpc_op op = headers_op(answer, fields);
  test_queue_run(inbound->call, inbound->queue, &op, 1);
  for (unsigned i = 0; i < answer->messages; i++)
    send_message(inbound, answer->size);
}

static grpc_op status_op(const test_answer *answer, grpc_metadata *fields,
                         grpc_slice *message) {
  size_t count = test_metadata_fill(fields, answer->trailers);
  *message = grpc_slice_from_static_string(
      answer->message == NULL ? "" : answer->message);
  return (grpc_op){
      .op = GRPC_OP_SEND_STATUS_FROM_SERVER,
      .data.send_status_from_server = {.trailing_metadata_count = count,
                                       .trailing_metadata = fields,
                                       .status = answer->status,
                                       .status_details = message}};
}

void test_inbound_finish(test_inbound *inbound, const test_answer *answer,
                         bool first) {
  grpc_metadata headers[TEST_FIELDS_MAX];
  grpc_metadata trailers[TEST_FIELDS_MAX];
  grpc_slice message;
  grpc_op ops[2];
  size_t count = 0;
  if (first)
    ops[count++] = headers_op(answer, headers);
  ops[count++] = status_op(answer, trailers, &message);
  test_queue_run(inbound->call, inbound->queue, ops, count);
}

void test_inbound_answer(test_inbound *inbound, const test_answer *answer) {
  bool early = answer->early || answer->messages > 0;
  if (early)
    test_inbound_send(inbound, answer);
  test_inbound_finish(inbound, answer, !early);
}

void test_inbound_open(test_inbound *inbound) {
  grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER,
                .data.recv_close_on_server.cancelled = &inbound->cancelled};
  test_queue_start(inbound->call, &op, 1, &inbound->cancelled);
}

void test_inbound_close(test_inbound *inbound) {
  if (!inbound->closed)
    test_queue_wait(inbound->queue, &inbound->cancelled);
  inbound->closed = true;
}
