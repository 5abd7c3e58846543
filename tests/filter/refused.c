/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "refused.h"

#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

static const test_answer unclaimed = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

static void look(test_inbound *inbound, void *user) {
  (void)user;
  eown_context *context = eown_context_from_call(inbound->call);
  CHECK_NULL(context);
  eown_context_set_claim(context, EOWN_CLAIM_CLAIMED);
  CHECK_EQ(EOWN_ERROR_NOT_TIED, eown_context_attach(context, inbound->call));
  test_inbound_answer(inbound, &unclaimed);
}

void test_refused_check(void) {
  test_reply reply;
  test_server_options server = {.mode = "enforce", .handler = look};
  test_channel_options channel = {.mode = "enforce", .attempts = 4};
  CHECK_EQ(4u, test_pair_run(&server, &channel, &reply));
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_STREQ("unclaimed",
              test_metadata_text(&reply.trailers, "error-claim").text);
  CHECK_STREQ("none",
              test_metadata_text(&reply.trailers, TEST_PUSHBACK_KEY).text);
  CHECK_COUNTS("");
  test_reply_clear(&reply);
}
