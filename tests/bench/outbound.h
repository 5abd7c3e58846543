/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_OUTBOUND_H
#define EOWN_TESTS_BENCH_OUTBOUND_H

#include "event.h"
#include "row.h"

#include <eown/retry.h>

#include <stdint.h>

#define OUTBOUND_ROOT_PATH "/eown.bench.Service/Root"
#define OUTBOUND_LEAF_PATH "/eown.bench.Service/Leaf"

/* One unary client call at a time; used again for the next one. */
typedef struct outbound {
  grpc_channel *channel;
  grpc_completion_queue *cq;
  event ended;
  void (*on_end)(void *owner, grpc_status_code status);
  void *owner;
  grpc_call *call;
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  grpc_metadata_array initial;
  grpc_metadata_array trailing;
  grpc_status_code status;
  grpc_slice details;
  row_loop loop; /* each call is the first of one */
  eown_retry_loop owned;
  unsigned calls;
} outbound;

void outbound_init(outbound *outbound, grpc_channel *channel,
                   grpc_completion_queue *cq);

/* Starts a call to `path` (static text), for `parent` where it is not NULL.
 * `on_end` is called once, when it has ended. */
void outbound_start(outbound *outbound, const char *path, grpc_call *parent);

/* The message that requests and replies carry: 64 bytes. */
grpc_byte_buffer *outbound_message(void);

#endif /* EOWN_TESTS_BENCH_OUTBOUND_H */
