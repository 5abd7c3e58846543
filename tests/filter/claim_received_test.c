/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What a channel makes of the claims it receives (rule 1), from a server that
 * knows nothing of eown: its trailers are made by hand. Four attempts allowed.
 */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "pair.h"

#define CALLED "outbound_calls 1 outbound_attempts "
#define ALL CALLED "4 outbound_retries 3 outbound_errors 1 "
#define ONE CALLED "1 outbound_errors 1 "
#define LEFT " retry_allowed 3 refused_attempts 1"
#define ALIAS TEST_STRING("eown.claim_key_alias", "x-uber-error-claim")
#define ALIAS_KEY "x-uber-error-claim"

typedef struct row {
  const char *name;
  const char *mode;
  test_field trailers[TEST_FIELDS_MAX];
  unsigned attempts;
  const char *counts;
  grpc_arg arguments[3];
} row;

static const row rows[] = {
    {"missing", "enforce", {{0}}, 4, ALL "received_missing 4" LEFT, {{0}}},
    {"claimed",
     "enforce",
     {{"error-claim", "claimed", 0}},
     4,
     ALL "received_claimed 4" LEFT,
     {{0}}},
    {"unclaimed",
     "enforce",
     {{"error-claim", "unclaimed", 0}},
     1,
     ONE "received_unclaimed 1 stopped_unclaimed 1",
     {{0}}},
    {"unclaimed, observed",
     "observe",
     {{"error-claim", "unclaimed", 0}},
     4,
     ALL "received_unclaimed 4 stopped_unclaimed 3 refused_attempts 1",
     {{0}}},
    {"unclaimed, off", "off", {{"error-claim", "unclaimed", 0}}, 4, "", {{0}}},
    {"unclaimed, no argument",
     NULL,
     {{"error-claim", "unclaimed", 0}},
     4,
     "",
     {{0}}},
    {"unclaimed at the trust boundary",
     "enforce",
     {{"error-claim", "unclaimed", 0}},
     4,
     ALL "received_missing 4" LEFT,
     {TEST_INTEGER("eown.trust_boundary", 1), {0}}},

    {"alias unclaimed",
     "enforce",
     {{ALIAS_KEY, "unclaimed", 0}},
     1,
     ONE "received_unclaimed 1 stopped_unclaimed 1",
     {ALIAS, {0}}},
    {"alias claimed",
     "enforce",
     {{ALIAS_KEY, "claimed", 0}},
     4,
     ALL "received_claimed 4" LEFT,
     {ALIAS, {0}}},
    {"alias not configured",
     "enforce",
     {{ALIAS_KEY, "unclaimed", 0}},
     4,
     ALL "received_missing 4" LEFT,
     {{0}}},
    {"both keys agree",
     "enforce",
     {{"error-claim", "unclaimed", 0}, {ALIAS_KEY, "unclaimed", 0}},
     1,
     ONE "received_unclaimed 1 stopped_unclaimed 1",
     {ALIAS, {0}}},
    {"both keys contradict",
     "enforce",
     {{"error-claim", "unclaimed", 0}, {ALIAS_KEY, "claimed", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {ALIAS, {0}}},

    {"unknown value",
     "enforce",
     {{"error-claim", "maybe", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"upper case",
     "enforce",
     {{"error-claim", "UNCLAIMED", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"blank after it",
     "enforce",
     {{"error-claim", "unclaimed ", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"empty",
     "enforce",
     {{"error-claim", "", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"repeated",
     "enforce",
     {{"error-claim", "unclaimed", 0}, {"error-claim", "unclaimed", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"contradictory",
     "enforce",
     {{"error-claim", "claimed", 0}, {"error-claim", "unclaimed", 0}},
     4,
     ALL "received_missing 4" LEFT " malformed_claim 4",
     {{0}}},
    {"garbage in the detail",
     "enforce",
     {{"error-claim", "unclaimed", 0}, {"error-claim-bin", "\xff\x00\x01", 3}},
     1,
     ONE "received_unclaimed 1 stopped_unclaimed 1 malformed_detail 1",
     {{0}}},
    {"two details",
     "enforce",
     {{"error-claim", "unclaimed", 0},
      {"error-claim-bin", "\x18\x01", 2},
      {"error-claim-bin", "\x18\x02", 2}},
     1,
     ONE "received_unclaimed 1 stopped_unclaimed 1 malformed_detail 1",
     {{0}}},
    {"a detail alone is not even read",
     "enforce",
     {{"error-claim-bin", "\xff\x00\x01", 3}},
     4,
     ALL "received_missing 4" LEFT,
     {{0}}},
};

/* The inbound ends with the error: only then is the detail of use, and read. */
static void end(eown_context *inbound) {
  eown_context_view view = {.faults = eown_status_faults()};
  eown_claim_detail detail;
  eown_context_decide(inbound, EOWN_STATUS_UNAVAILABLE, &view, &detail);
}

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  eown_context *inbound = eown_context_acquire();
  eown_context_scope scope;
  eown_context_enter(&scope, inbound);
  test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE};
  memcpy(answer.trailers, self->trailers, sizeof(answer.trailers));
  CHECK_EQ(
      self->attempts,
      test_pair_attempts(&(test_server_options){.script = &answer},
                         &(test_channel_options){.mode = self->mode,
                                                 .arguments = self->arguments,
                                                 .attempts = 4}));
  eown_context_leave(&scope);
  end(inbound);
  CHECK_COUNTS(self->counts);
  eown_context_unref(inbound);
}

EOWN_TEST(ClaimReceived, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

EOWN_TEST(ClaimReceived, OverLong) {
  char value[4001];
  memset(value, 'u', sizeof(value) - 1);
  memcpy(value, "unclaimed", 9);
  value[sizeof(value) - 1] = '\0';
  row self = {"over-long",
              "enforce",
              {{"error-claim", value, 0}},
              4,
              ALL "received_missing 4" LEFT " malformed_claim 4",
              {{0}}};
  check(&self);
}

EOWN_TEST(ClaimReceived, OverLongDetail) {
  char value[300];
  memset(value, 'a', sizeof(value));
  memcpy(value, "\x0a\xa9\x02", 3); /* a string of 297 bytes */
  row self = {"over-long detail",
              "enforce",
              {{"error-claim", "claimed", 0},
               {"error-claim-bin", value, sizeof(value)}},
              4,
              ALL "received_claimed 4" LEFT " malformed_detail 1",
              {{0}}};
  check(&self);
}

/* What the callee said arrives at the application as it was sent. */
EOWN_TEST(ClaimReceived, ApplicationSeesAll) {
  static const test_answer answer = {
      .status = GRPC_STATUS_UNAVAILABLE,
      .message = "not me",
      .trailers = {{"error-claim", "unclaimed", 0}, {"x-own", "kept", 0}}};
  test_reply reply;
  unsigned attempts = test_pair_run(
      &(test_server_options){.script = &answer},
      &(test_channel_options){.mode = "enforce", .attempts = 4}, &reply);
  CHECK_EQ(1u, attempts);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_STREQ("not me", reply.message);
  CHECK_STREQ("unclaimed",
              test_metadata_text(&reply.trailers, "error-claim").text);
  CHECK_STREQ("kept", test_metadata_text(&reply.trailers, "x-own").text);
  test_reply_clear(&reply);
}

/* The verdict is on each attempt: a claimed error may be retried, the unclaimed
 * one after it may not. */
EOWN_TEST(ClaimReceived, StopsAtTheSecondAttempt) {
  static const test_answer script[] = {
      {.status = GRPC_STATUS_UNAVAILABLE,
       .trailers = {{"error-claim", "claimed", 0}}},
      {.status = GRPC_STATUS_UNAVAILABLE,
       .trailers = {{"error-claim", "unclaimed", 0}}}};
  CHECK_EQ(2u, test_pair_attempts(
                   &(test_server_options){.script = script, .answers = 2},
                   &(test_channel_options){.mode = "enforce", .attempts = 4}));
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 2 outbound_retries 1 "
               "outbound_errors 1 received_claimed 1 received_unclaimed 1 "
               "retry_allowed 1 stopped_unclaimed 1");
}

EOWN_TEST(ClaimReceived, RetrySucceeds) {
  static const test_answer script[] = {
      {.status = GRPC_STATUS_UNAVAILABLE,
       .trailers = {{"error-claim", "claimed", 0}}},
      {.status = GRPC_STATUS_OK, .messages = 1}};
  test_reply reply;
  CHECK_EQ(2u, test_pair_run(
                   &(test_server_options){.script = script, .answers = 2},
                   &(test_channel_options){.mode = "enforce", .attempts = 4},
                   &reply));
  CHECK_EQ(GRPC_STATUS_OK, reply.status);
  CHECK_EQ(1u, reply.messages);
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 2 outbound_retries 1 "
               "received_claimed 1 retry_allowed 1");
  test_reply_clear(&reply);
}

/* Beside the totals there are counts by method, from the first error on. */
EOWN_TEST(ClaimReceived, CountedByMethod) {
  static const test_answer answer = {
      .status = GRPC_STATUS_UNAVAILABLE,
      .trailers = {{"error-claim", "unclaimed", 0}}};
  CHECK_EQ(1u, test_pair_attempts(
                   &(test_server_options){.script = &answer},
                   &(test_channel_options){.mode = "enforce", .attempts = 4}));
  CHECK_STREQ("outbound_errors 1 received_unclaimed 1 stopped_unclaimed 1",
              test_counts_of(TEST_METHOD).text);
}
