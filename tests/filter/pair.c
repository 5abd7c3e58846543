/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "pair.h"

#include "eown/counters.h"
#include "gtest_c.h"

void test_pair_start(test_pair *pair, const test_server_options *server,
                     const test_channel_options *channel) {
  eown_counters_reset();
  pair->server = test_server_start(server);
  pair->channel = test_channel_make(test_server_target(pair->server), channel);
}

unsigned test_pair_call(test_pair *pair, const test_request *request,
                        test_reply *reply) {
  unsigned before = test_server_attempts(pair->server);
  test_call_make(pair->channel, request, reply);
  return test_server_attempts(pair->server) - before;
}

void test_pair_stop(test_pair *pair) {
  grpc_channel_destroy(pair->channel);
  test_server_stop(pair->server);
}

unsigned test_pair_run(const test_server_options *server,
                       const test_channel_options *channel, test_reply *reply) {
  test_pair pair;
  test_pair_start(&pair, server, channel);
  unsigned attempts = test_pair_call(&pair, &(test_request){0}, reply);
  test_pair_stop(&pair);
  return attempts;
}

unsigned test_pair_attempts(const test_server_options *server,
                            const test_channel_options *channel) {
  test_reply reply;
  unsigned attempts = test_pair_run(server, channel, &reply);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_STREQ("none",
              test_metadata_text(&reply.trailers, TEST_PUSHBACK_KEY).text);
  test_reply_clear(&reply);
  return attempts;
}
