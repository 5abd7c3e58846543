/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The process-wide switch while a channel and a server with eown live. */
#include "eown/grpc.h"
#include "eown/settings.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

static const test_answer own = {.status = GRPC_STATUS_UNAVAILABLE};

static void check_call(test_pair *pair, unsigned attempts, const char *claim,
                       const char *counts) {
  test_reply reply;
  eown_counters_reset();
  CHECK_EQ(attempts, test_pair_call(pair, &(test_request){0}, &reply));
  CHECK_STREQ(claim, test_metadata_text(&reply.trailers, "error-claim").text);
  CHECK_COUNTS(counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Switch, AtRunTime) {
  test_pair pair;
  test_pair_start(&pair, &(test_server_options){.mode = "off", .script = &own},
                  &(test_channel_options){.mode = "off", .attempts = 2});
  check_call(&pair, 2, "none", "");
  eown_mode_override(EOWN_MODE_ENFORCE);
  check_call(&pair, 2, "claimed",
             "outbound_calls 1 outbound_attempts 2 outbound_retries 1 "
             "outbound_errors 1 received_claimed 2 retry_allowed 1 "
             "refused_attempts 1 context_drops 1 inbound_calls 2 "
             "inbound_retries 1 inbound_errors 2 sent_own 2");
  eown_mode_override(EOWN_MODE_N);
  check_call(&pair, 2, "none", "");
  test_pair_stop(&pair);
}

static void change_mode(test_inbound *inbound, void *user) {
  (void)user;
  eown_mode_override(EOWN_MODE_OFF);
  test_inbound_answer(inbound, &own);
}

/* The switch works from the next call on; one under way keeps its mode. */
EOWN_TEST(Switch, DuringACall) {
  test_pair pair;
  test_pair_start(
      &pair, &(test_server_options){.mode = "enforce", .handler = change_mode},
      &(test_channel_options){.mode = "enforce"});
  check_call(&pair, 1, "claimed",
             "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
             "received_claimed 1 refused_no_policy 1 context_drops 1 "
             "inbound_calls 1 inbound_errors 1 sent_own 1");
  check_call(&pair, 1, "none", "");
  eown_mode_override(EOWN_MODE_N);
  test_pair_stop(&pair);
}
