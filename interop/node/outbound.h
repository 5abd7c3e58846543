/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_OUTBOUND_H
#define NODE_OUTBOUND_H

#include "callee.h"
#include "event.h"

typedef struct inbound inbound;

/* One call to a callee, made for an inbound call. A part of the inbound; it
 * stays readable until the inbound ends. */
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
} outbound;

/* Makes the call; inbound_outbound_ended is called when it is over. */
void outbound_start(outbound *outbound, inbound *inbound, callee *callee);

/* Cancels the call if it was made. Thread-safe. */
void outbound_cancel(outbound *outbound);

/* Frees what a call that was made holds. */
void outbound_clear(outbound *outbound);

#endif /* NODE_OUTBOUND_H */
