/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "outbound.h"

#include <eown/grpc.h>
#include <grpc/byte_buffer.h>
#include <grpc/slice.h>
#include <grpc/support/time.h>

#define OPS_N 6

static void on_ended(void *owner, bool ok);

void outbound_init(outbound *outbound, grpc_channel *channel,
                   grpc_completion_queue *cq) {
  outbound->channel = channel;
  outbound->cq = cq;
  outbound->ended = (event){on_ended, outbound};
}

grpc_byte_buffer *outbound_message(void) {
  static const char bytes[64] = {'e', 'o', 'w', 'n'};
  grpc_slice slice = grpc_slice_from_static_buffer(bytes, sizeof bytes);
  return grpc_raw_byte_buffer_create(&slice, 1);
}

static void add_request(outbound *outbound, grpc_op *ops) {
  ops[0].op = GRPC_OP_SEND_INITIAL_METADATA;
  ops[1].op = GRPC_OP_SEND_MESSAGE;
  ops[1].data.send_message.send_message = outbound->request;
  ops[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
}

static void add_answer(outbound *outbound, grpc_op *ops) {
  ops[3].op = GRPC_OP_RECV_INITIAL_METADATA;
  ops[3].data.recv_initial_metadata.recv_initial_metadata = &outbound->initial;
  ops[4].op = GRPC_OP_RECV_MESSAGE;
  ops[4].data.recv_message.recv_message = &outbound->reply;
  ops[5].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
  ops[5].data.recv_status_on_client.trailing_metadata = &outbound->trailing;
  ops[5].data.recv_status_on_client.status = &outbound->status;
  ops[5].data.recv_status_on_client.status_details = &outbound->details;
}

/* Three attempts, whichever way. */
static void begin_loop(outbound *outbound) {
  static const eown_retry_options options = {.max_attempts = 3,
                                             .codes =
                                                 1u << EOWN_STATUS_UNAVAILABLE,
                                             .initial_backoff_ms = 100,
                                             .max_backoff_ms = 1000,
                                             .backoff_multiplier = 2,
                                             .mode = EOWN_MODE_ENFORCE};
  outbound->calls = 1;
  if (outbound->loop != ROW_LOOP_OWNED)
    return;
  eown_retry_init(&outbound->owned, eown_context_current(), &options);
  eown_grpc_retry_begin(&outbound->owned, outbound->call);
}

static bool ask_loop(outbound *outbound) {
  eown_retry_end end = {.status = (eown_status)outbound->status};
  bool again =
      eown_grpc_retry_again(&outbound->owned, outbound->call, &end, 0).again;
  eown_retry_clear(&outbound->owned);
  return again;
}

/* Only success is measured: nothing is called again. */
static void end_loop(outbound *outbound) {
  bool again =
      outbound->loop == ROW_LOOP_OWNED
          ? ask_loop(outbound)
          : outbound->status == GRPC_STATUS_UNAVAILABLE && outbound->calls < 3;
  if (again)
    event_die("a call failed that the loop would repeat");
}

void outbound_start(outbound *outbound, const char *path, grpc_call *parent) {
  outbound->request = outbound_message();
  outbound->reply = NULL;
  grpc_metadata_array_init(&outbound->initial);
  grpc_metadata_array_init(&outbound->trailing);
  outbound->call = grpc_channel_create_call(
      outbound->channel, parent, GRPC_PROPAGATE_DEFAULTS, outbound->cq,
      grpc_slice_from_static_string(path), NULL,
      gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
  if (outbound->loop != ROW_LOOP_NONE)
    begin_loop(outbound);
  grpc_op ops[OPS_N] = {{0}};
  add_request(outbound, ops);
  add_answer(outbound, ops);
  event_batch(&outbound->ended, outbound->call, ops, OPS_N);
}

static void release(outbound *outbound) {
  grpc_byte_buffer_destroy(outbound->request);
  grpc_byte_buffer_destroy(outbound->reply);
  grpc_metadata_array_destroy(&outbound->initial);
  grpc_metadata_array_destroy(&outbound->trailing);
  grpc_slice_unref(outbound->details);
  grpc_call_unref(outbound->call);
}

static void on_ended(void *owner, bool ok) {
  outbound *outbound = owner;
  (void)ok;
  if (outbound->loop != ROW_LOOP_NONE)
    end_loop(outbound);
  release(outbound);
  outbound->on_end(outbound->owner, outbound->status);
}
