/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Callees that cannot be reached, or not yet. No server with eown here. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "counts.h"
#include "pair.h"

static const grpc_arg quick[] = {
    TEST_INTEGER(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100),
    TEST_INTEGER(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100),
    TEST_INTEGER(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100),
    {0}};

/* A port that is taken by a socket which does not listen. */
typedef struct closed_port {
  int socket;
  int port;
  char target[32];
} closed_port;

static void take_port(closed_port *self) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof(address);
  int yes = 1;
  self->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(self->socket, SOL_SOCKET, SO_REUSEPORT, &yes, sizeof(yes));
  bind(self->socket, (struct sockaddr *)&address, size);
  getsockname(self->socket, (struct sockaddr *)&address, &size);
  self->port = ntohs(address.sin_port);
  snprintf(self->target, sizeof(self->target), "127.0.0.1:%d", self->port);
}

static void call_closed_port(const char *mode, const test_request *request,
                             test_reply *reply) {
  closed_port closed;
  take_port(&closed);
  eown_counters_reset();
  grpc_channel *channel = test_channel_make(
      closed.target,
      &(test_channel_options){.mode = mode, .arguments = quick, .attempts = 4});
  test_call_make(channel, request, reply);
  grpc_channel_destroy(channel);
  close(closed.socket);
}

#define UNREACHED "outbound_calls 1 outbound_errors 1 local 1 unreached 1"

static void check_refused(const char *mode, const char *counts) {
  test_reply reply;
  call_closed_port(mode, &(test_request){0}, &reply);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_COUNTS(counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Unreachable, ConnectionRefused) {
  check_refused(NULL, "");
  check_refused("off", "");
  check_refused("observe", UNREACHED);
  check_refused("enforce", UNREACHED);
}

EOWN_TEST(Unreachable, WaitsInVain) {
  test_reply reply;
  call_closed_port("enforce",
                   &(test_request){.wait_for_ready = true, .deadline_ms = 50},
                   &reply);
  CHECK_EQ(GRPC_STATUS_DEADLINE_EXCEEDED, reply.status);
  CHECK_COUNTS(UNREACHED);
  test_reply_clear(&reply);
}

/* The server comes up while the call waits. */
static void wait_for_server(const char *mode, const char *counts) {
  static const test_answer answer = {.messages = 1};
  closed_port closed;
  test_reply reply;
  take_port(&closed);
  eown_counters_reset();
  grpc_channel *channel = test_channel_make(
      closed.target,
      &(test_channel_options){.mode = mode, .arguments = quick, .attempts = 4});
  test_call *call =
      test_call_begin(channel, &(test_request){.wait_for_ready = true});
  test_server *server = test_server_start(
      &(test_server_options){.script = &answer, .port = closed.port});
  test_call_end(call, &reply);
  grpc_channel_destroy(channel);
  test_server_stop(server);
  close(closed.socket);
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  CHECK_COUNTS(counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Unreachable, WaitsUntilTheServerIsUp) {
  wait_for_server(NULL, "");
  wait_for_server("off", "");
  wait_for_server("enforce", "outbound_calls 1 outbound_attempts 1");
}

static void wait_gone(test_inbound *inbound, void *user) {
  (void)user;
  static const test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE};
  test_inbound_send(inbound, &answer);
  test_inbound_close(inbound);
}

/* Dies when the headers are out: too late for a retry. */
static void die(const char *mode, const char *counts) {
  test_reply reply;
  test_pair pair;
  test_pair_start(&pair, &(test_server_options){.handler = wait_gone},
                  &(test_channel_options){.mode = mode, .attempts = 4});
  test_call *call =
      test_call_begin(pair.channel, &(test_request){.streaming = true});
  test_call_wait_headers(call);
  test_server_cancel(pair.server);
  test_call_end(call, &reply);
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_COUNTS(counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Unreachable, ServerDiesMidCall) {
  die(NULL, "");
  die("off", "");
  die("enforce", "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
                 "received_missing 1 refused_committed 1");
}
