/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "common/tsan.h"
#include "lab/base/failure.h"

#include "eown/interop/v1/node.pb-c.h"

#include <grpc/byte_buffer.h>
#include <grpc/slice.h>

/* The batches of one call, each with its tag. */
enum { BATCH_SEND, BATCH_REPLY, BATCH_STATUS };

static void start_batch(lab_call *call, int batch, const grpc_op *ops,
                        size_t count) {
  lab_tag *tag = &call->tags[batch];
  *tag = (lab_tag){.call = call, .reads_reply = batch == BATCH_REPLY};
  call->open_batches++;
  EOWN_INTEROP_RELEASE(tag);
  grpc_call_error error =
      grpc_call_start_batch(call->call, ops, count, tag, NULL);
  if (error != GRPC_CALL_OK)
    lab_fail("gRPC refused a batch: %s", grpc_call_error_to_string(error));
}

static grpc_byte_buffer *make_request(uint64_t id) {
  Eown__Interop__V1__CallRequest request =
      EOWN__INTEROP__V1__CALL_REQUEST__INIT;
  request.id = id;
  size_t length = eown__interop__v1__call_request__get_packed_size(&request);
  grpc_slice slice = grpc_slice_malloc(length);
  eown__interop__v1__call_request__pack(&request, GRPC_SLICE_START_PTR(slice));
  grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
  grpc_slice_unref(slice);
  return buffer;
}

static void send_request(lab_call *call, const lab_target *target) {
  grpc_op ops[4] = {
      {.op = GRPC_OP_SEND_INITIAL_METADATA,
       .data.send_initial_metadata = {.count = target->metadata_count,
                                      .metadata = target->metadata}},
      {.op = GRPC_OP_SEND_MESSAGE,
       .data.send_message.send_message = call->request},
      {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
      {.op = GRPC_OP_RECV_INITIAL_METADATA,
       .data.recv_initial_metadata.recv_initial_metadata = &call->headers},
  };
  start_batch(call, BATCH_SEND, ops, 4);
}

static void receive_reply(lab_call *call) {
  grpc_op op = {.op = GRPC_OP_RECV_MESSAGE,
                .data.recv_message.recv_message = &call->reply};
  start_batch(call, BATCH_REPLY, &op, 1);
}

static void receive_status(lab_call *call) {
  grpc_op op = {.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
                .data.recv_status_on_client = {
                    .trailing_metadata = &call->trailers,
                    .status = &call->status,
                    .status_details = &call->message,
                }};
  start_batch(call, BATCH_STATUS, &op, 1);
}

void lab_call_start(lab_call *call, const lab_target *target, uint64_t id,
                    gpr_timespec deadline) {
  *call = (lab_call){.stream = target->stream, .request = make_request(id)};
  grpc_metadata_array_init(&call->headers);
  grpc_metadata_array_init(&call->trailers);
  call->call = grpc_channel_create_call(target->channel, NULL,
                                        GRPC_PROPAGATE_DEFAULTS, target->queue,
                                        target->path, NULL, deadline, NULL);
  send_request(call, target);
  receive_status(call);
  receive_reply(call);
}

/* A stream is read until a read brings nothing. */
static void take_reply(lab_call *call) {
  if (!call->reply)
    return;
  call->replies++;
  grpc_byte_buffer_destroy(call->reply);
  call->reply = NULL;
  if (call->stream)
    receive_reply(call);
}

lab_call *lab_call_advance(lab_tag *tag) {
  EOWN_INTEROP_ACQUIRE(tag);
  lab_call *call = tag->call;
  call->open_batches--;
  if (tag->reads_reply)
    take_reply(call);
  return call->open_batches == 0 ? call : NULL;
}

void lab_call_finish(lab_call *call) {
  grpc_call_unref(call->call);
  grpc_byte_buffer_destroy(call->request);
  grpc_metadata_array_destroy(&call->headers);
  grpc_metadata_array_destroy(&call->trailers);
  grpc_slice_unref(call->message);
  *call = (lab_call){0};
}
