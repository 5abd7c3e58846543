/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "channel.h"
#include "refused.h"

EOWN_TEST(TooLate, AfterTheFirstChannel) {
  grpc_init();
  grpc_channel *channel =
      test_channel_make("127.0.0.1:1", &(test_channel_options){0});
  CHECK_EQ(EOWN_ERROR_TOO_LATE, eown_grpc_init());
  CHECK_EQ(EOWN_ERROR_TOO_LATE, eown_grpc_init());
  grpc_channel_destroy(channel);
  test_refused_check();
  grpc_shutdown_blocking();
}
