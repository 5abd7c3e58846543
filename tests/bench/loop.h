/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_LOOP_H
#define EOWN_TESTS_BENCH_LOOP_H

#include "inbound.h"

#include <eown/context.h>

#include <stdint.h>

#define LOOP_WIDTH_MAX 32

/* A client and a server of one row in this process, connected over loopback
 * TCP and driven by the calling thread alone. */
typedef struct loop {
  service service;
  inbound inbounds[2 * LOOP_WIDTH_MAX];
  struct client {
    outbound outbound;
    struct loop *loop;
  } clients[LOOP_WIDTH_MAX];
  eown_context *inbound; /* whose outbound calls these are; NULL under stock */
  grpc_status_code expected;
  uint64_t to_start; /* calls of this run that are still to be started */
  uint64_t to_end;   /* and to end */
} loop;

/* Makes client and server of `row`, whose handler ends well or with an error.
 * gRPC must be initialised, and eown where the row has a mode. Ends the program
 * where that fails. */
void loop_init(loop *loop, const row *row, bool error);

/* Makes `calls` calls, `width` of them (at most LOOP_WIDTH_MAX) at a time. */
void loop_run(loop *loop, uint64_t calls, uint64_t width);

/* Shuts both down. */
void loop_clear(loop *loop);

#endif /* EOWN_TESTS_BENCH_LOOP_H */
