/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_PAIR_H
#define EOWN_TESTS_FILTER_PAIR_H

#include "call.h"
#include "channel.h"
#include "server.h"

/* A server and a channel to it. */
typedef struct test_pair {
  test_server *server;
  grpc_channel *channel;
} test_pair;

/* Starts both with all counters at zero. */
void test_pair_start(test_pair *pair, const test_server_options *server,
                     const test_channel_options *channel);

/* Makes a call, and returns the attempts that the server saw of it. */
unsigned test_pair_call(test_pair *pair, const test_request *request,
                        test_reply *reply);

void test_pair_stop(test_pair *pair);

/* All in one, with one unary call. */
unsigned test_pair_run(const test_server_options *server,
                       const test_channel_options *channel, test_reply *reply);

/* The attempts the server saw of one call that fails with UNAVAILABLE. Checks
 * this status and that the application sees no pushback. */
unsigned test_pair_attempts(const test_server_options *server,
                            const test_channel_options *channel);

#endif /* EOWN_TESTS_FILTER_PAIR_H */
