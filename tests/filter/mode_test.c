/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The modes of channels, and the process-wide switch. */
#include "eown/grpc.h"
#include "eown/settings.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

static const test_answer unclaimed = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

#define ENFORCED                                                               \
  "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "                    \
  "received_unclaimed 1 stopped_unclaimed 1"
#define OBSERVED                                                               \
  "outbound_calls 1 outbound_attempts 4 outbound_retries 3 outbound_errors 1 " \
  "received_unclaimed 4 stopped_unclaimed 3 refused_attempts 1"

/* A channel to a server without eown that says unclaimed. */
static void check_channel(grpc_arg mode, unsigned attempts,
                          const char *counts) {
  grpc_arg arguments[] = {mode, {0}};
  CHECK_EQ(attempts,
           test_pair_attempts(
               &(test_server_options){.script = &unclaimed},
               &(test_channel_options){.arguments = arguments, .attempts = 4}));
  CHECK_COUNTS(counts);
}

EOWN_TEST(Mode, OfAChannelAsText) {
  check_channel((grpc_arg)TEST_STRING("eown.mode", "off"), 4, "");
  check_channel((grpc_arg)TEST_STRING("eown.mode", "observe"), 4, OBSERVED);
  check_channel((grpc_arg)TEST_STRING("eown.mode", "enforce"), 1, ENFORCED);
}

EOWN_TEST(Mode, OfAChannelAsNumber) {
  check_channel((grpc_arg)TEST_INTEGER("eown.mode", 0), 4, "");
  check_channel((grpc_arg)TEST_INTEGER("eown.mode", 1), 4, OBSERVED);
  check_channel((grpc_arg)TEST_INTEGER("eown.mode", 2), 1, ENFORCED);
}

EOWN_TEST(Mode, OfAChannelAsNumberInText) {
  check_channel((grpc_arg)TEST_STRING("eown.mode", "0"), 4, "");
  check_channel((grpc_arg)TEST_STRING("eown.mode", "2"), 1, ENFORCED);
}

/* Without the argument there is no filter: no switch can turn it on. */
EOWN_TEST(Mode, NoArgumentNoFilter) {
  grpc_arg other = TEST_STRING("eown.service_name", "shop");
  check_channel(other, 4, "");
  eown_mode_override(EOWN_MODE_ENFORCE);
  check_channel(other, 4, "");
  eown_mode_override(EOWN_MODE_N);
}

EOWN_TEST(Mode, SwitchWinsOverChannels) {
  eown_mode_override(EOWN_MODE_ENFORCE);
  check_channel((grpc_arg)TEST_STRING("eown.mode", "off"), 1, ENFORCED);
  eown_mode_override(EOWN_MODE_OBSERVE);
  check_channel((grpc_arg)TEST_STRING("eown.mode", "enforce"), 4, OBSERVED);
  eown_mode_override(EOWN_MODE_OFF);
  check_channel((grpc_arg)TEST_STRING("eown.mode", "enforce"), 4, "");
  eown_mode_override(EOWN_MODE_N);
  check_channel((grpc_arg)TEST_STRING("eown.mode", "enforce"), 1, ENFORCED);
}
