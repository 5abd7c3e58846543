/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_INBOUND_H
#define EOWN_TESTS_BENCH_INBOUND_H

#include "claim.h"
#include "outbound.h"

/* How the server answers. */
typedef struct service {
  const row *row;
  bool error; /* answers UNAVAILABLE, as the owner of the error */
  grpc_server *server;
  grpc_channel *channel; /* for the outbound of a chain */
  grpc_completion_queue *cq;
  claim claim;
} service;

/* One inbound call at a time; asks for the next one when it has ended. */
typedef struct inbound {
  const service *service;
  event arrived, received, closed, sent;
  outbound outbound;
  grpc_call *call;
  grpc_call_details details;
  grpc_metadata_array metadata;
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  int pending;
  int cancelled;
} inbound;

/* Prepares `inbound` and asks for its first call. */
void inbound_start(inbound *inbound, const service *service);

#endif /* EOWN_TESTS_BENCH_INBOUND_H */
