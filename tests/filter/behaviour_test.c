/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* gRPC's own behaviour is the same without eown and in every mode. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "pair.h"

#define MEGABYTE ((size_t)1 << 20)

static const char *const modes[] = {NULL, "off", "observe", "enforce"};

static const char *name_of(const char *mode) {
  return mode == NULL ? "none" : mode;
}

static bool active(const char *mode) {
  return mode != NULL && strcmp(mode, "off") != 0;
}

/* Counts of a mode in which something is counted. */
static void check_counts(const char *mode, const char *counts) {
  CHECK_COUNTS(active(mode) ? counts : "");
}

typedef void scenario(const char *mode);

static void in_every_mode(scenario *run) {
  for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
    TEST_TRACE("mode %s", name_of(modes[i]));
    run(modes[i]);
  }
}

/* The pair's channel and server are of the mode; four attempts allowed. */
static void start(test_pair *pair, const char *mode,
                  test_server_options *server) {
  server->mode = mode;
  test_pair_start(pair, server,
                  &(test_channel_options){.mode = mode, .attempts = 4});
}

static void large(const char *mode) {
  static const test_answer answer = {.messages = 1, .size = MEGABYTE};
  test_server_options server = {.script = &answer};
  test_request request = {.size = MEGABYTE};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(1u, test_pair_call(&pair, &request, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  CHECK_EQ(MEGABYTE, reply.bytes);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 context_drops 1 "
                     "inbound_calls 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, MegabyteBothWays) { in_every_mode(large); }

static void stream(const char *mode) {
  static const test_answer answer = {.messages = 5, .size = 100};
  test_server_options server = {.script = &answer};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(1u,
           test_pair_call(&pair, &(test_request){.streaming = true}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  CHECK_EQ(5u, reply.messages);
  CHECK_EQ(500u, reply.bytes);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 context_drops 1 "
                     "inbound_calls 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, Streaming) { in_every_mode(stream); }

static void broken_stream(const char *mode) {
  static const test_answer answer = {
      .status = GRPC_STATUS_UNAVAILABLE, .messages = 3, .size = 10};
  test_server_options server = {.script = &answer};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(1u,
           test_pair_call(&pair, &(test_request){.streaming = true}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_EQ(3u, reply.messages);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
                     "received_claimed 1 refused_committed 1 context_drops 1 "
                     "inbound_calls 1 inbound_errors 1 sent_own 1 "
                     "early_headers 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, StreamThatFails) { in_every_mode(broken_stream); }

/* Early headers: gRPC does not retry, and it is counted on both sides. */
static void early(const char *mode) {
  static const test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE,
                                     .early = true};
  test_server_options server = {.script = &answer};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(1u, test_pair_call(&pair, &(test_request){0}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
                     "received_claimed 1 refused_committed 1 context_drops 1 "
                     "inbound_calls 1 inbound_errors 1 sent_own 1 "
                     "early_headers 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, EarlyHeaders) { in_every_mode(early); }

/* --- ends that the client brings about
 * ---------------------------------------- */

/* Sends headers, then waits until the client is gone. */
static void linger(test_inbound *inbound, void *user) {
  (void)user;
  static const test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE};
  test_inbound_send(inbound, &answer);
  test_inbound_close(inbound);
  CHECK_TRUE(inbound->cancelled);
}

static void cancel_during(const char *mode) {
  test_server_options server = {.handler = linger};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  test_call *call =
      test_call_begin(pair.channel, &(test_request){.streaming = true});
  test_call_wait_headers(call);
  test_call_cancel(call);
  test_call_end(call, &reply);
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_CANCELLED, reply.status);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
                     "local 1 refused_status 1 context_drops 1 "
                     "inbound_calls 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, CancelledDuring) { in_every_mode(cancel_during); }

static void cancel_before(const char *mode) {
  static const test_answer answer = {.messages = 1};
  test_server_options server = {.script = &answer};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(0u,
           test_pair_call(&pair, &(test_request){.cancelled = true}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_CANCELLED, reply.status);
  check_counts(mode, "outbound_calls 1 outbound_errors 1 local 1 unreached 1 "
                     "context_drops 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, CancelledBefore) { in_every_mode(cancel_before); }

static void cancel_after(const char *mode) {
  static const test_answer answer = {.messages = 1};
  test_server_options server = {.script = &answer};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  CHECK_EQ(
      1u, test_pair_call(&pair, &(test_request){.cancel_after = true}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 context_drops 1 "
                     "inbound_calls 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, CancelledAfter) { in_every_mode(cancel_after); }

/* Answers the first call, and lingers over the second. */
static void linger_second(test_inbound *inbound, void *user) {
  static const test_answer answer = {.messages = 1};
  if (inbound->number > 0)
    linger(inbound, user);
  else
    test_inbound_answer(inbound, &answer);
}

static void deadline(const char *mode) {
  test_server_options server = {.handler = linger_second};
  test_reply reply;
  test_pair pair;
  start(&pair, mode, &server);
  test_pair_call(&pair, &(test_request){0}, &reply); /* connects */
  test_reply_clear(&reply);
  eown_counters_reset();
  CHECK_EQ(
      1u, test_pair_call(&pair,
                         &(test_request){.streaming = true, .deadline_ms = 500},
                         &reply));
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_DEADLINE_EXCEEDED, reply.status);
  check_counts(mode, "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
                     "local 1 refused_status 1 context_drops 1 "
                     "inbound_calls 1");
  test_reply_clear(&reply);
}

EOWN_TEST(Behaviour, Deadline) { in_every_mode(deadline); }
