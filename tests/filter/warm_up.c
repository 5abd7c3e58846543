/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "warm_up.h"

#include "call.h"
#include "channel.h"
#include "server.h"

void test_warm_up(void) {
  static bool done; /* servers are only started by a test's own thread */
  static const test_answer answer = {.messages = 1};
  if (done)
    return;
  done = true;
  test_reply reply;
  test_server *server = test_server_start(
      &(test_server_options){.mode = "off", .script = &answer});
  grpc_channel *channel =
      test_channel_make(test_server_target(server), &(test_channel_options){0});
  test_call_make(channel, &(test_request){0}, &reply);
  test_reply_clear(&reply);
  grpc_channel_destroy(channel);
  test_server_stop(server);
}
