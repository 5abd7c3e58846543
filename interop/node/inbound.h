/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_INBOUND_H
#define NODE_INBOUND_H

#include "node.h"
#include "outbound.h"

typedef enum method {
  METHOD_CALL,
  METHOD_STREAM,
  METHOD_STATS,
  METHOD_UNKNOWN
} method;

/* One served call. Everything of it runs on its queue's thread. */
struct inbound {
  node *node;
  queue *queue;
  unsigned references; /* batches under way and outbounds not yet ended */
  event arrived, received, closed, sent, waited;
  grpc_call *call;
  grpc_call_details details;
  grpc_metadata_array metadata;
  grpc_byte_buffer *request;
  int cancelled;
  method method;
  bool fails; /* by itself, after its callees */
  delayed delayed;

  /* outbound calls */
  grpc_slice onward; /* their request */
  size_t first;      /* of the node's callees that are called */
  size_t wanted;     /* how many of them */
  size_t started;
  size_t running;
  const outbound *failed; /* the first fail-close one that failed */
  uint32_t nodes_below;

  /* the answer */
  bool headers_sent;
  uint64_t replies_left;
  grpc_slice reply;
  grpc_byte_buffer *sending;
  grpc_status_code status;
  const char *text; /* of the status; NULL: that of `failed` */
  grpc_metadata *trailing;
  size_t trailing_n;
  char pushback[24];
  char refusal[128];

  outbound outbounds[]; /* one for each callee */
};

/* Waits for the next call on `queue`, and serves it. */
void inbound_request(node *node, queue *queue);

/* Starts a batch that holds a reference until its event is over, which ends
 * with inbound_release. */
void inbound_batch(inbound *inbound, event *event, const grpc_op *ops,
                   size_t n);
void inbound_release(inbound *inbound);

/* Until when its caller waits, by the monotonic clock. */
gpr_timespec inbound_deadline(const inbound *inbound);

/* An outbound call of this inbound is over. */
void inbound_outbound_ended(inbound *inbound, outbound *outbound);

#endif /* NODE_INBOUND_H */
