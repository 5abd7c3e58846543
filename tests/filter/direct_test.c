/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A direct channel, over a socket pair: all filters in one stack, and no
 * retries. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <fcntl.h>
#include <grpc/grpc_posix.h>
#include <sys/socket.h>

#include "counts.h"
#include "pair.h"

static grpc_channel *make_channel(int fd, const char *mode) {
  test_arguments arguments;
  test_arguments_set(&arguments, mode, NULL);
  grpc_channel_credentials *insecure = grpc_insecure_credentials_create();
  grpc_channel *channel =
      grpc_channel_create_from_fd("direct", fd, insecure, &arguments.args);
  grpc_channel_credentials_release(insecure);
  return channel;
}

static void run(const char *mode, const test_answer *answer,
                const test_request *request, test_reply *reply) {
  int fds[2];
  REQUIRE_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds));
  eown_counters_reset();
  test_server_options options = {.mode = mode, .script = answer, .fd = fds[0]};
  test_server *server = test_server_start(&options);
  grpc_channel *channel = make_channel(fds[1], mode);
  test_call_make(channel, request, reply);
  grpc_channel_destroy(channel);
  test_server_stop(server);
}

static void check(const char *mode, const char *claim, const char *counts) {
  TEST_TRACE("mode %s", mode == NULL ? "none" : mode);
  static const test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE};
  test_reply reply;
  run(mode, &answer, &(test_request){0}, &reply);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_STREQ(claim, test_metadata_text(&reply.trailers, "error-claim").text);
  CHECK_COUNTS(counts);
  test_reply_clear(&reply);
}

#define CLAIMED                                                                \
  "outbound_calls 1 outbound_attempts 1 outbound_errors 1 received_claimed 1 " \
  "refused_no_policy 1 context_drops 1 inbound_calls 1 inbound_errors 1 "      \
  "sent_own 1"

EOWN_TEST(Direct, ClaimsTravel) {
  check(NULL, "none", "");
  check("off", "none", "");
  check("observe", "claimed", CLAIMED);
  check("enforce", "claimed", CLAIMED);
}

EOWN_TEST(Direct, CallsSucceed) {
  static const test_answer answer = {.messages = 1, .size = 1 << 20};
  test_reply reply;
  run("enforce", &answer, &(test_request){.size = 1 << 20}, &reply);
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  CHECK_EQ((size_t)1 << 20, reply.bytes);
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 1 context_drops 1 "
               "inbound_calls 1");
  test_reply_clear(&reply);
}
