/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_OUTBOUND_H
#define NODE_OUTBOUND_H

#include "callee.h"
#include "delay.h"
#include "event.h"

#include <eown/retry.h>

typedef struct inbound inbound;

/* What an inbound call asks of one callee: a call, or where the node has a
 * retry loop of its own (again.h), calls one after the other. A part of the
 * inbound; the last call stays readable until the inbound ends. */
typedef struct outbound {
  inbound *inbound;
  callee *callee;
  bool stream;
  grpc_call *call; /* NULL: not made */
  unsigned pending;
  event received; /* the first batch, then each message of a stream */
  event ended;    /* of a stream: its status */
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  grpc_metadata_array initial;
  grpc_metadata_array trailing;
  grpc_status_code status;
  grpc_slice details;
  uint32_t nodes_below;

  uint64_t calls; /* made */
  bool replied;   /* a message came in the last of them */
  eown_retry_loop loop;
  delayed delayed;
  event waited; /* until the next call */
} outbound;

/* Makes the call; inbound_outbound_ended is called when it, or the last one
 * that the node's loop makes, is over. */
void outbound_start(outbound *outbound, inbound *inbound, callee *callee);

/* Cancels the call if it was made. Thread-safe. */
void outbound_cancel(outbound *outbound);

/* Frees what a call that was made holds. */
void outbound_clear(outbound *outbound);

#endif /* NODE_OUTBOUND_H */
