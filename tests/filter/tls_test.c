/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "tls.h"

#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "hops.h"

static const grpc_arg named[] = {
    TEST_STRING(GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, "localhost"), {0}};

static const test_answer fails = {.status = GRPC_STATUS_UNAVAILABLE};

/* Two hops, all with TLS: the claim goes the same way. */
EOWN_TEST(Tls, TwoHops) {
  test_tls tls;
  test_hops_result result;
  REQUIRE_TRUE(test_tls_make(&tls));
  test_hops hops = {
      .back = {.mode = "enforce", .script = &fails, .credentials = tls.server},
      .outbound = {.mode = "enforce",
                   .arguments = named,
                   .attempts = 2,
                   .credentials = tls.channel},
      .front = {.mode = "enforce", .credentials = tls.server},
      .client = {
          .arguments = named, .attempts = 4, .credentials = tls.channel}};
  test_hops_run(&hops, &result);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, result.reply.status);
  CHECK_EQ(1u, result.front_attempts);
  CHECK_EQ(2u, result.back_attempts);
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 2 outbound_retries 1 "
               "outbound_errors 1 received_claimed 2 retry_allowed 1 "
               "refused_attempts 1 inbound_calls 3 inbound_retries 1 "
               "inbound_errors 3 sent_own 2 sent_propagated 1");
  test_reply_clear(&result.reply);
  test_tls_clear(&tls);
}

static const grpc_arg misnamed[] = {
    TEST_STRING(GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, "elsewhere"), {0}};

/* A handshake that fails is no connection. */
EOWN_TEST(Tls, HandshakeFails) {
  test_tls tls;
  test_reply reply;
  REQUIRE_TRUE(test_tls_make(&tls));
  test_server_options server = {
      .mode = "enforce", .script = &fails, .credentials = tls.server};
  test_channel_options channel = {.mode = "enforce",
                                  .arguments = misnamed,
                                  .attempts = 4,
                                  .credentials = tls.channel};
  CHECK_EQ(0u, test_pair_run(&server, &channel, &reply));
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_COUNTS("outbound_calls 1 outbound_errors 1 local 1 unreached 1 "
               "context_drops 1");
  test_reply_clear(&reply);
  test_tls_clear(&tls);
}
