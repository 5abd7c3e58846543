/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "outbound.h"

#include "again.h"
#include "inbound.h"
#include "message.h"

#include <eown/grpc.h>

static void on_received(void *arg, bool ok);
static void on_ended(void *arg, bool ok);
static void on_waited(void *arg, bool ok);

/* The inbound's deadline, or the outbound's own where that is sooner. */
static gpr_timespec deadline_of(const inbound *inbound) {
  gpr_timespec deadline = inbound_deadline(inbound);
  uint64_t timeout = inbound->node->options->timeout_ms;
  if (timeout == 0)
    return deadline;
  gpr_timespec own =
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                   gpr_time_from_millis((int64_t)timeout, GPR_TIMESPAN));
  return gpr_time_min(deadline, own);
}

static void create_call(outbound *outbound, grpc_call *parent) {
  const callee *callee = outbound->callee;
  outbound->call = grpc_channel_create_call(
      callee->channel, parent, GRPC_PROPAGATE_DEFAULTS,
      outbound->inbound->queue->cq,
      grpc_slice_from_static_string(outbound->stream ? callee->stream_path
                                                     : callee->call_path),
      NULL, deadline_of(outbound->inbound), NULL);
}

/* All of a call but its status. */
static size_t add_request(outbound *outbound, grpc_op *ops) {
  ops[0].op = GRPC_OP_SEND_INITIAL_METADATA;
  ops[1].op = GRPC_OP_SEND_MESSAGE;
  ops[1].data.send_message.send_message = outbound->request;
  ops[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
  ops[3].op = GRPC_OP_RECV_INITIAL_METADATA;
  ops[3].data.recv_initial_metadata.recv_initial_metadata = &outbound->initial;
  ops[4].op = GRPC_OP_RECV_MESSAGE;
  ops[4].data.recv_message.recv_message = &outbound->reply;
  return 5;
}

static size_t add_status(outbound *outbound, grpc_op *ops) {
  ops[0].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
  ops[0].data.recv_status_on_client.trailing_metadata = &outbound->trailing;
  ops[0].data.recv_status_on_client.status = &outbound->status;
  ops[0].data.recv_status_on_client.status_details = &outbound->details;
  return 1;
}

static void batch(outbound *outbound, event *event, const grpc_op *ops,
                  size_t n) {
  outbound->pending++;
  event_batch(event, outbound->call, ops, n);
}

static void start_batches(outbound *outbound) {
  grpc_op ops[6] = {{0}};
  size_t n = add_request(outbound, ops);
  if (!outbound->stream) {
    n += add_status(outbound, ops + n);
  } else {
    grpc_op status = {0};
    add_status(outbound, &status);
    batch(outbound, &outbound->ended, &status, 1);
  }
  batch(outbound, &outbound->received, ops, n);
}

static void start_in(outbound *outbound, context_way way) {
  inbound *inbound = outbound->inbound;
  eown_context *context = NULL;
  if (inbound->node->options->ownership != OWNERSHIP_STOCK)
    context = eown_context_from_call(inbound->call);
  eown_context_scope scope;
  if (way == CONTEXT_THREAD)
    eown_context_enter(&scope, context);
  create_call(outbound, way == CONTEXT_PARENT ? inbound->call : NULL);
  if (way == CONTEXT_EXPLICIT)
    eown_context_attach(context, outbound->call);
  again_begin(outbound);
  start_batches(outbound);
  if (way == CONTEXT_THREAD)
    eown_context_leave(&scope);
}

static void start_call(outbound *outbound) {
  const inbound *inbound = outbound->inbound;
  outbound->request =
      grpc_raw_byte_buffer_create(&outbound->inbound->onward, 1);
  outbound->replied = false;
  outbound->calls++;
  grpc_metadata_array_init(&outbound->initial);
  grpc_metadata_array_init(&outbound->trailing);
  count(&outbound->inbound->node->counts.made);
  count(&outbound->callee->claims.calls);
  start_in(outbound, inbound->node->options->context);
}

void outbound_start(outbound *outbound, inbound *inbound, callee *callee) {
  *outbound = (struct outbound){
      .inbound = inbound,
      .callee = callee,
      .stream = inbound->method == METHOD_STREAM,
      .received = {on_received, outbound},
      .ended = {on_ended, outbound},
      .waited = {on_waited, outbound},
  };
  again_init(outbound);
  start_call(outbound);
}

/* Takes the message that came, if any; true: one came. */
static bool take_reply(outbound *outbound) {
  if (outbound->reply == NULL)
    return false;
  outbound->nodes_below = message_read_reply(outbound->reply);
  grpc_byte_buffer_destroy(outbound->reply);
  outbound->reply = NULL;
  outbound->replied = true;
  return true;
}

static void clear_call(outbound *outbound) {
  grpc_byte_buffer_destroy(outbound->request);
  grpc_metadata_array_destroy(&outbound->initial);
  grpc_metadata_array_destroy(&outbound->trailing);
  grpc_slice_unref(outbound->details);
  grpc_call_unref(outbound->call);
  outbound->call = NULL;
}

/* The call is over: it is made again after a while, or that was all. */
static void end(outbound *outbound) {
  inbound *inbound = outbound->inbound;
  uint64_t wait_ms;
  if (outbound->status != GRPC_STATUS_OK)
    claims_note_error(&outbound->callee->claims, &outbound->trailing);
  if (!again_wanted(outbound, &wait_ms)) {
    inbound_outbound_ended(inbound, outbound);
    return;
  }
  clear_call(outbound);
  delay_add(&inbound->node->delay, &outbound->delayed, wait_ms, inbound->call,
            &outbound->waited);
}

static void on_waited(void *arg, bool ok) {
  (void)ok;
  start_call(arg);
}

static void release(outbound *outbound) {
  if (--outbound->pending == 0)
    end(outbound);
}

static void on_received(void *arg, bool ok) {
  outbound *outbound = arg;
  if (take_reply(outbound) && ok && outbound->stream) {
    grpc_op op = {.op = GRPC_OP_RECV_MESSAGE};
    op.data.recv_message.recv_message = &outbound->reply;
    batch(outbound, &outbound->received, &op, 1);
  }
  release(outbound);
}

static void on_ended(void *arg, bool ok) {
  (void)ok;
  release(arg);
}

void outbound_cancel(outbound *outbound) {
  if (outbound->call != NULL)
    grpc_call_cancel(outbound->call, NULL);
}

void outbound_clear(outbound *outbound) {
  again_clear(outbound);
  if (outbound->call != NULL)
    clear_call(outbound);
}
