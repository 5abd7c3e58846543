/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "pair.h"

static const test_answer unclaimed = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

EOWN_TEST(Registration, TwiceIsOnce) {
  CHECK_EQ(EOWN_ERROR_OK, eown_grpc_init());
  CHECK_EQ(1u, test_pair_attempts(
                   &(test_server_options){.script = &unclaimed},
                   &(test_channel_options){.mode = "enforce", .attempts = 4}));
  CHECK_EQ(EOWN_ERROR_OK, eown_grpc_init());
  CHECK_EQ(1u, test_pair_attempts(
                   &(test_server_options){.script = &unclaimed},
                   &(test_channel_options){.mode = "enforce", .attempts = 4}));
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
               "received_unclaimed 1 stopped_unclaimed 1");
}

EOWN_TEST(Registration, BuiltForTheLibraryThatRuns) {
  CHECK_STREQ(grpc_version_string(), eown_grpc_version());
}
