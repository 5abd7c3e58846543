/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "inbound.h"

#include <eown/grpc.h>
#include <grpc/byte_buffer.h>
#include <grpc/slice.h>

static void on_arrived(void *owner, bool ok);
static void on_received(void *owner, bool ok);
static void on_outbound(void *owner, grpc_status_code status);
static void on_part(void *owner, bool ok);

static void ask(inbound *inbound) {
  const service *service = inbound->service;
  grpc_call_details_init(&inbound->details);
  grpc_metadata_array_init(&inbound->metadata);
  if (grpc_server_request_call(service->server, &inbound->call,
                               &inbound->details, &inbound->metadata,
                               service->cq, service->cq,
                               &inbound->arrived) != GRPC_CALL_OK)
    event_die("a server call was refused");
}

void inbound_start(inbound *inbound, const service *service) {
  inbound->service = service;
  inbound->arrived = (event){on_arrived, inbound};
  inbound->received = (event){on_received, inbound};
  inbound->closed = (event){on_part, inbound};
  inbound->sent = (event){on_part, inbound};
  outbound_init(&inbound->outbound, service->channel, service->cq);
  inbound->outbound.on_end = on_outbound;
  inbound->outbound.owner = inbound;
  ask(inbound);
}

static void release_details(inbound *inbound) {
  grpc_call_details_destroy(&inbound->details);
  grpc_metadata_array_destroy(&inbound->metadata);
}

static void on_arrived(void *owner, bool ok) {
  inbound *inbound = owner;
  if (!ok) { /* the server shuts down */
    release_details(inbound);
    return;
  }
  grpc_op close = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
  close.data.recv_close_on_server.cancelled = &inbound->cancelled;
  grpc_op message = {.op = GRPC_OP_RECV_MESSAGE};
  message.data.recv_message.recv_message = &inbound->request;
  inbound->pending = 2; /* close and answer */
  event_batch(&inbound->closed, inbound->call, &close, 1);
  event_batch(&inbound->received, inbound->call, &message, 1);
}

static grpc_op status_op(const service *service) {
  grpc_op op = {.op = GRPC_OP_SEND_STATUS_FROM_SERVER};
  op.data.send_status_from_server.status = GRPC_STATUS_OK;
  if (service->error) {
    op.data.send_status_from_server.status = GRPC_STATUS_UNAVAILABLE;
    op.data.send_status_from_server.trailing_metadata =
        (grpc_metadata *)service->claim.metadata;
    op.data.send_status_from_server.trailing_metadata_count =
        service->claim.count;
  }
  return op;
}

static void say_unclaimed(inbound *inbound) {
  const row *row = inbound->service->row;
  if (row->unclaimed && row->mode != NULL)
    eown_context_set_claim(eown_context_from_call(inbound->call),
                           EOWN_CLAIM_UNCLAIMED);
}

/* One batch, as gRPC C++ sends the answer of a unary handler. */
static void answer(inbound *inbound) {
  grpc_op ops[3] = {{.op = GRPC_OP_SEND_INITIAL_METADATA}};
  size_t n = 1;
  inbound->reply = NULL;
  if (inbound->service->error) {
    say_unclaimed(inbound);
  } else {
    inbound->reply = outbound_message();
    ops[n].op = GRPC_OP_SEND_MESSAGE;
    ops[n++].data.send_message.send_message = inbound->reply;
  }
  ops[n++] = status_op(inbound->service);
  event_batch(&inbound->sent, inbound->call, ops, n);
}

static bool is_root(const inbound *inbound) {
  return grpc_slice_str_cmp(inbound->details.method, OUTBOUND_ROOT_PATH) == 0;
}

static void on_received(void *owner, bool ok) {
  inbound *inbound = owner;
  if (!ok || inbound->request == NULL)
    event_die("a request came without its message");
  if (inbound->service->row->chain && is_root(inbound))
    outbound_start(&inbound->outbound, OUTBOUND_LEAF_PATH, inbound->call);
  else
    answer(inbound);
}

static void on_outbound(void *owner, grpc_status_code status) {
  if (status != GRPC_STATUS_OK)
    event_die("the outbound of a chain failed");
  answer(owner);
}

static void on_part(void *owner, bool ok) {
  inbound *inbound = owner;
  if (!ok)
    event_die("a server call broke off");
  if (--inbound->pending > 0)
    return;
  grpc_byte_buffer_destroy(inbound->request);
  grpc_byte_buffer_destroy(inbound->reply);
  release_details(inbound);
  grpc_call_unref(inbound->call);
  ask(inbound);
}
