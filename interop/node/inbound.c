/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "inbound.h"

#include "answer.h"
#include "message.h"

/* How a call runs:
 * 1. it arrives: the next one is waited for, its message and its close too;
 * 2. its message came: the callees are called, in order or at once;
 * 3. they have ended: it waits for its delay;
 * 4. it is answered (answer.c);
 * 5. the answer is sent and the call closed: nothing refers to it any more. */

static void on_arrived(void *arg, bool ok);
static void on_received(void *arg, bool ok);
static void on_closed(void *arg, bool ok);
static void on_waited(void *arg, bool ok);

static inbound *inbound_new(node *node, queue *queue) {
  inbound *inbound = calloc(
      1, sizeof *inbound + node->callees_n * sizeof inbound->outbounds[0]);
  if (inbound == NULL)
    return NULL;
  inbound->node = node;
  inbound->queue = queue;
  inbound->arrived = (event){on_arrived, inbound};
  inbound->received = (event){on_received, inbound};
  inbound->closed = (event){on_closed, inbound};
  inbound->waited = (event){on_waited, inbound};
  inbound->wanted = node->callees_n;
  inbound->onward = grpc_empty_slice();
  inbound->reply = grpc_empty_slice();
  grpc_call_details_init(&inbound->details);
  grpc_metadata_array_init(&inbound->metadata);
  atomic_fetch_add(&node->live, 1);
  return inbound;
}

static void inbound_free(inbound *inbound) {
  node *node = inbound->node;
  for (size_t i = 0; i < inbound->started; i++)
    outbound_clear(&inbound->outbounds[i]);
  grpc_call_details_destroy(&inbound->details);
  grpc_metadata_array_destroy(&inbound->metadata);
  grpc_byte_buffer_destroy(inbound->request);
  grpc_byte_buffer_destroy(inbound->sending);
  grpc_slice_unref(inbound->onward);
  grpc_slice_unref(inbound->reply);
  free(inbound->trailing);
  if (inbound->call != NULL)
    grpc_call_unref(inbound->call);
  free(inbound);
  if (atomic_fetch_sub(&node->live, 1) == 1)
    sem_post(&node->idle);
}

void inbound_release(inbound *inbound) {
  if (--inbound->references == 0)
    inbound_free(inbound);
}

void inbound_batch(inbound *inbound, event *event, const grpc_op *ops,
                   size_t n) {
  inbound->references++;
  event_batch(event, inbound->call, ops, n);
}

void inbound_request(node *node, queue *queue) {
  inbound *inbound = inbound_new(node, queue);
  if (inbound == NULL)
    return; /* out of memory: one call fewer is served at a time */
  EOWN_INTEROP_RELEASE(&inbound->arrived);
  grpc_call_error error = grpc_server_request_call(
      node->server, &inbound->call, &inbound->details, &inbound->metadata,
      queue->cq, queue->cq, &inbound->arrived);
  if (error != GRPC_CALL_OK)
    inbound_free(inbound);
}

gpr_timespec inbound_deadline(const inbound *inbound) {
  return gpr_convert_clock_type(inbound->details.deadline, GPR_CLOCK_MONOTONIC);
}

static method find_method(const inbound *inbound) {
  const struct {
    const char *path;
    method method;
  } paths[] = {
      {inbound->node->call_path, METHOD_CALL},
      {inbound->node->stream_path, METHOD_STREAM},
      {"/eown.interop.v1.Node/Call", METHOD_CALL},
      {"/eown.interop.v1.Node/Stream", METHOD_STREAM},
      {"/eown.interop.v1.Node/Stats", METHOD_STATS},
  };
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
    if (grpc_slice_str_cmp(inbound->details.method, paths[i].path) == 0)
      return paths[i].method;
  return METHOD_UNKNOWN;
}

static void await_close(inbound *inbound) {
  grpc_op op = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
  op.data.recv_close_on_server.cancelled = &inbound->cancelled;
  inbound_batch(inbound, &inbound->closed, &op, 1);
}

static void await_message(inbound *inbound) {
  grpc_op ops[2] = {{.op = GRPC_OP_RECV_MESSAGE},
                    {.op = GRPC_OP_SEND_INITIAL_METADATA}};
  ops[0].data.recv_message.recv_message = &inbound->request;
  inbound->headers_sent =
      inbound->node->options->early_headers && inbound->method != METHOD_STATS;
  inbound_batch(inbound, &inbound->received, ops,
                inbound->headers_sent ? 2 : 1);
}

static bool is_counted(const inbound *inbound) {
  return inbound->method == METHOD_CALL || inbound->method == METHOD_STREAM;
}

static void on_arrived(void *arg, bool ok) {
  inbound *inbound = arg;
  if (!ok) { /* the server shuts down */
    inbound_free(inbound);
    return;
  }
  inbound_request(inbound->node, inbound->queue);
  inbound->method = find_method(inbound);
  await_close(inbound);
  if (inbound->method == METHOD_UNKNOWN) {
    answer_error(inbound, GRPC_STATUS_UNIMPLEMENTED, "unknown method");
    return;
  }
  if (is_counted(inbound)) {
    count(&inbound->node->counts.served);
    inbound->fails = dice_throw(&inbound->node->dice);
  }
  await_message(inbound);
}

static void start_next(inbound *inbound) {
  size_t i = inbound->started++;
  inbound->running++;
  inbound->references++;
  outbound_start(&inbound->outbounds[i], inbound,
                 &inbound->node->callees[inbound->first + i]);
}

static bool should_start(const inbound *inbound) {
  return inbound->started < inbound->wanted &&
         (inbound->failed == NULL || inbound->fails);
}

static void settle(inbound *inbound) {
  if (inbound->node->options->delay_ms == 0) {
    answer_call(inbound);
    return;
  }
  inbound->references++;
  delay_add(&inbound->node->delay, &inbound->delayed,
            inbound->node->options->delay_ms, inbound->call, &inbound->waited);
}

/* Calls the next callee, or all at once, or ends where none is left. */
static void proceed(inbound *inbound) {
  if (!should_start(inbound)) {
    settle(inbound);
    return;
  }
  do
    start_next(inbound);
  while (inbound->node->options->parallel && should_start(inbound));
}

/* The request's wish to call one callee alone, or NULL. */
static const grpc_slice *callee_wanted(const inbound *inbound) {
  const grpc_metadata_array *metadata = &inbound->metadata;
  for (size_t i = 0; i < metadata->count; i++)
    if (grpc_slice_str_cmp(metadata->metadata[i].key, "eown-node-callee") == 0)
      return &metadata->metadata[i].value;
  return NULL;
}

/* Calls the callee of this name alone, or refuses the call. */
static void proceed_with(inbound *inbound, const grpc_slice *name) {
  const node *node = inbound->node;
  for (size_t i = 0; i < node->callees_n; i++)
    if (grpc_slice_str_cmp(*name, node->callees[i].name) == 0) {
      inbound->first = i;
      inbound->wanted = 1;
      proceed(inbound);
      return;
    }
  snprintf(inbound->refusal, sizeof inbound->refusal,
           "eown-node-callee: '%.*s': expected the name of a callee of %s",
           (int)GRPC_SLICE_LENGTH(*name),
           (const char *)GRPC_SLICE_START_PTR(*name), node->options->name);
  answer_error(inbound, GRPC_STATUS_INVALID_ARGUMENT, inbound->refusal);
}

static void serve_call(inbound *inbound) {
  const grpc_slice *name = callee_wanted(inbound);
  if (!message_read_call(inbound->request,
                         inbound->node->options->payload_bytes,
                         &inbound->onward))
    answer_error(inbound, GRPC_STATUS_INVALID_ARGUMENT,
                 "the request is not a CallRequest");
  else if (name != NULL)
    proceed_with(inbound, name);
  else
    proceed(inbound);
}

static void serve_stats(inbound *inbound) {
  bool reset;
  if (message_read_stats(inbound->request, &reset))
    answer_stats(inbound, reset);
  else
    answer_error(inbound, GRPC_STATUS_INVALID_ARGUMENT,
                 "the request is not a StatsRequest");
}

static void on_received(void *arg, bool ok) {
  inbound *inbound = arg;
  (void)ok; /* without a message there is no request to read */
  if (inbound->method == METHOD_STATS)
    serve_stats(inbound);
  else
    serve_call(inbound);
  inbound_release(inbound);
}

static void note_outcome(inbound *inbound, const outbound *outbound) {
  if (outbound->status == GRPC_STATUS_OK) {
    inbound->nodes_below += 1 + outbound->nodes_below;
    return;
  }
  if (!outbound->callee->fail_open && inbound->failed == NULL)
    inbound->failed = outbound;
}

void inbound_outbound_ended(inbound *inbound, outbound *outbound) {
  note_outcome(inbound, outbound);
  if (--inbound->running == 0)
    proceed(inbound);
  inbound_release(inbound);
}

static void on_waited(void *arg, bool ok) {
  (void)ok;
  answer_call(arg);
  inbound_release(arg);
}

/* gRPC cancels the children of a parent call; the other ties are for us to
 * cut, except where they are dropped on purpose. */
static void on_closed(void *arg, bool ok) {
  inbound *inbound = arg;
  (void)ok;
  bool tied = inbound->node->options->context != CONTEXT_NONE ||
              atomic_load(&inbound->node->cancelled);
  if (inbound->cancelled != 0 && tied)
    for (size_t i = 0; i < inbound->started; i++)
      outbound_cancel(&inbound->outbounds[i]);
  inbound_release(inbound);
}
