/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "node_stats.h"

#include "common/tsan.h"
#include "lab/base/failure.h"

#include "eown/interop/v1/node.pb-c.h"

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>

#include <stdlib.h>

#define TIMEOUT_S 20

/* One call that is waited for. */
typedef struct question {
  int port;
  grpc_completion_queue *queue;
  grpc_channel *channel;
  grpc_call *call;
  grpc_metadata_array headers;
  grpc_metadata_array trailers;
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  grpc_status_code status;
  grpc_slice message;
} question;

static gpr_timespec deadline(void) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                      gpr_time_from_seconds(TIMEOUT_S, GPR_TIMESPAN));
}

static void open_call(question *q) {
  char *address = lab_format("127.0.0.1:%d", q->port);
  grpc_channel_credentials *plain = grpc_insecure_credentials_create();
  q->queue = grpc_completion_queue_create_for_pluck(NULL);
  q->channel = grpc_channel_create(address, plain, NULL);
  grpc_channel_credentials_release(plain);
  free(address);
  q->call = grpc_channel_create_call(
      q->channel, NULL, GRPC_PROPAGATE_DEFAULTS, q->queue,
      grpc_slice_from_static_string("/eown.interop.v1.Node/Stats"), NULL,
      deadline(), NULL);
  grpc_metadata_array_init(&q->headers);
  grpc_metadata_array_init(&q->trailers);
  grpc_slice nothing = grpc_empty_slice(); /* a StatsRequest of defaults */
  q->request = grpc_raw_byte_buffer_create(&nothing, 1);
}

static void ask(question *q) {
  grpc_op ops[] = {
      {.op = GRPC_OP_SEND_INITIAL_METADATA},
      {.op = GRPC_OP_SEND_MESSAGE,
       .data.send_message.send_message = q->request},
      {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
      {.op = GRPC_OP_RECV_INITIAL_METADATA,
       .data.recv_initial_metadata.recv_initial_metadata = &q->headers},
      {.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &q->reply},
      {.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
       .data.recv_status_on_client = {.trailing_metadata = &q->trailers,
                                      .status = &q->status,
                                      .status_details = &q->message}},
  };
  EOWN_INTEROP_RELEASE(q);
  grpc_call_start_batch(q->call, ops, 6, q, NULL);
  grpc_completion_queue_pluck(q->queue, q, gpr_inf_future(GPR_CLOCK_MONOTONIC),
                              NULL);
  EOWN_INTEROP_ACQUIRE(q);
  if (q->status != GRPC_STATUS_OK || !q->reply)
    lab_fail("the node at port %d does not say its counts: status %d", q->port,
             (int)q->status);
}

static json_t *read_reply(const question *q) {
  grpc_byte_buffer_reader reader;
  grpc_byte_buffer_reader_init(&reader, q->reply);
  grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
  grpc_byte_buffer_reader_destroy(&reader);
  Eown__Interop__V1__StatsReply *reply = eown__interop__v1__stats_reply__unpack(
      NULL, GRPC_SLICE_LENGTH(bytes), GRPC_SLICE_START_PTR(bytes));
  grpc_slice_unref(bytes);
  json_t *counts = reply ? json_loads(reply->json, 0, NULL) : NULL;
  eown__interop__v1__stats_reply__free_unpacked(reply, NULL);
  if (!counts)
    lab_fail("the node at port %d says its counts in another form than JSON",
             q->port);
  return counts;
}

static void close_call(question *q) {
  grpc_call_unref(q->call);
  grpc_byte_buffer_destroy(q->request);
  grpc_byte_buffer_destroy(q->reply);
  grpc_metadata_array_destroy(&q->headers);
  grpc_metadata_array_destroy(&q->trailers);
  grpc_slice_unref(q->message);
  grpc_channel_destroy(q->channel);
  grpc_completion_queue_shutdown(q->queue);
  grpc_completion_queue_destroy(q->queue);
}

json_t *lab_node_stats(int port) {
  question q = {.port = port};
  open_call(&q);
  ask(&q);
  json_t *counts = read_reply(&q);
  close_call(&q);
  return counts;
}
