/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include "eown/grpc.h"

#include <grpc/byte_buffer.h>
#include <grpc/support/alloc.h>
#include <grpc/support/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

struct test_call {
  grpc_call *call;
  grpc_completion_queue *queue;
  bool streaming;
  bool has_headers;
  bool cancel_after;
  grpc_byte_buffer *sent;
  grpc_byte_buffer *received;
  grpc_metadata_array headers;
  grpc_metadata_array trailers;
  grpc_status_code status;
  grpc_slice message;
  grpc_metadata fields[TEST_FIELDS_MAX + 1];
  eown_retry_loop *loop;
  bool marks; /* by hand, as there is no filter that would */
  char send_tag;
  char headers_tag;
  char status_tag;
};

static gpr_timespec deadline_of(const test_request *request) {
  if (request->deadline_ms == 0)
    return gpr_inf_future(GPR_CLOCK_REALTIME);
  return gpr_time_add(gpr_now(GPR_CLOCK_REALTIME),
                      gpr_time_from_millis(request->deadline_ms, GPR_TIMESPAN));
}

static test_call *create(grpc_channel *channel, const test_request *request) {
  test_call *self = calloc(1, sizeof(*self));
  const char *method = request->method;
  self->queue = grpc_completion_queue_create_for_pluck(NULL);
  self->call = grpc_channel_create_call(
      channel, request->parent, GRPC_PROPAGATE_DEFAULTS, self->queue,
      grpc_slice_from_static_string(method == NULL ? TEST_METHOD : method),
      NULL, deadline_of(request), NULL);
  self->streaming = request->streaming;
  self->cancel_after = request->cancel_after;
  self->sent = test_message_make(request->size);
  grpc_metadata_array_init(&self->headers);
  grpc_metadata_array_init(&self->trailers);
  return self;
}

static size_t add_send(test_call *self, const test_request *request,
                       grpc_op *ops) {
  static const test_field mark[] = {
      {EOWN_RETRY_MARK_KEY, EOWN_RETRY_MARK_VALUE, 0}, {0}};
  size_t count = test_metadata_fill(self->fields, request->metadata);
  if (self->marks)
    count += test_metadata_fill(self->fields + count, mark);
  ops[0] = (grpc_op){
      .op = GRPC_OP_SEND_INITIAL_METADATA,
      .flags = request->wait_for_ready
                   ? GRPC_INITIAL_METADATA_WAIT_FOR_READY |
                         GRPC_INITIAL_METADATA_WAIT_FOR_READY_EXPLICITLY_SET
                   : 0,
      .data.send_initial_metadata = {.count = count, .metadata = self->fields}};
  ops[1] = (grpc_op){.op = GRPC_OP_SEND_MESSAGE,
                     .data.send_message.send_message = self->sent};
  ops[2] = (grpc_op){.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT};
  return 3;
}

static grpc_op headers_op(test_call *self) {
  return (grpc_op){.op = GRPC_OP_RECV_INITIAL_METADATA,
                   .data.recv_initial_metadata.recv_initial_metadata =
                       &self->headers};
}

static grpc_op message_op(test_call *self) {
  return (grpc_op){.op = GRPC_OP_RECV_MESSAGE,
                   .data.recv_message.recv_message = &self->received};
}

static grpc_op status_op(test_call *self) {
  return (grpc_op){
      .op = GRPC_OP_RECV_STATUS_ON_CLIENT,
      .data.recv_status_on_client = {.trailing_metadata = &self->trailers,
                                     .status = &self->status,
                                     .status_details = &self->message}};
}

static void start_unary(test_call *self, const test_request *request) {
  grpc_op ops[6];
  size_t count = add_send(self, request, ops);
  ops[count++] = headers_op(self);
  ops[count++] = message_op(self);
  ops[count++] = status_op(self);
  test_queue_start(self->call, ops, count, &self->status_tag);
}

static void start_streaming(test_call *self, const test_request *request) {
  grpc_op ops[3];
  grpc_op status = status_op(self);
  grpc_op headers = headers_op(self);
  test_queue_start(self->call, &status, 1, &self->status_tag);
  test_queue_start(self->call, ops, add_send(self, request, ops),
                   &self->send_tag);
  test_queue_start(self->call, &headers, 1, &self->headers_tag);
}

test_call *test_call_begin(grpc_channel *channel, const test_request *request) {
  test_call *self = create(channel, request);
  if (request->attach)
    eown_context_attach(request->context, self->call);
  self->loop = request->loop;
  if (self->loop != NULL)
    self->marks = eown_grpc_retry_begin(self->loop, self->call);
  if (request->cancelled)
    test_call_cancel(self);
  if (self->streaming)
    start_streaming(self, request);
  else
    start_unary(self, request);
  return self;
}

void test_call_wait_headers(test_call *self) {
  if (!self->has_headers)
    test_queue_wait(self->queue, &self->headers_tag);
  self->has_headers = true;
}

void test_call_cancel(test_call *self) { grpc_call_cancel(self->call, NULL); }

static void count_message(test_call *self, test_reply *reply) {
  if (self->received == NULL)
    return;
  reply->messages++;
  reply->bytes += grpc_byte_buffer_length(self->received);
  grpc_byte_buffer_destroy(self->received);
  self->received = NULL;
}

static void read_stream(test_call *self, test_reply *reply) {
  test_queue_wait(self->queue, &self->send_tag);
  test_call_wait_headers(self);
  unsigned before;
  do {
    before = reply->messages;
    grpc_op op = message_op(self);
    test_queue_run(self->call, self->queue, &op, 1);
    count_message(self, reply);
  } while (reply->messages > before);
}

static void keep(const test_call *self, test_reply *reply) {
  reply->status = self->status;
  snprintf(reply->message, sizeof(reply->message), "%.*s",
           (int)GRPC_SLICE_LENGTH(self->message),
           (const char *)GRPC_SLICE_START_PTR(self->message));
  test_metadata_keep(&reply->headers, &self->headers);
  test_metadata_keep(&reply->trailers, &self->trailers);
}

static void feed(const grpc_metadata *field, eown_retry_end *end) {
  eown_retry_end_feed(end, NULL, (const char *)GRPC_SLICE_START_PTR(field->key),
                      GRPC_SLICE_LENGTH(field->key),
                      (const char *)GRPC_SLICE_START_PTR(field->value),
                      GRPC_SLICE_LENGTH(field->value));
}

static void ask_loop(test_call *self, test_reply *reply) {
  eown_retry_end end = {.status = (eown_status)self->status,
                        .committed = reply->messages > 0};
  for (size_t i = 0; i < self->trailers.count; i++)
    feed(&self->trailers.metadata[i], &end);
  reply->answer =
      eown_grpc_retry_again(self->loop, self->call, &end, 0x80000000u);
}

static void destroy(test_call *self) {
  grpc_slice_unref(self->message);
  grpc_metadata_array_destroy(&self->headers);
  grpc_metadata_array_destroy(&self->trailers);
  grpc_byte_buffer_destroy(self->sent);
  grpc_call_unref(self->call);
  test_queue_close(self->queue);
  free(self);
}

void test_call_end(test_call *self, test_reply *reply) {
  *reply = (test_reply){0};
  if (self->streaming)
    read_stream(self, reply);
  test_queue_wait(self->queue, &self->status_tag);
  count_message(self, reply);
  if (self->cancel_after)
    test_call_cancel(self);
  keep(self, reply);
  if (self->loop != NULL)
    ask_loop(self, reply);
  destroy(self);
}

unsigned test_call_loop(grpc_channel *channel, const test_request *request,
                        test_reply *reply) {
  unsigned calls = 1;
  test_call_make(channel, request, reply);
  for (; reply->answer.again; calls++) {
    test_reply_clear(reply);
    test_call_make(channel, request, reply);
  }
  return calls;
}

void test_call_make(grpc_channel *channel, const test_request *request,
                    test_reply *reply) {
  test_call_end(test_call_begin(channel, request), reply);
}

void test_reply_clear(test_reply *reply) {
  test_metadata_clear(&reply->headers);
  test_metadata_clear(&reply->trailers);
}
