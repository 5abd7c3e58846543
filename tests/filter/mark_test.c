/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What travels in requests: the retry mark, and claim keys that do not belong
 * there. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "pair.h"

#define MARK EOWN_RETRY_MARK_KEY

static const test_answer missing = {.status = GRPC_STATUS_UNAVAILABLE};

/* One request that says itself what it is, to a server with eown. */
typedef struct row {
  const char *name;
  const char *mode;
  test_field metadata[TEST_FIELDS_MAX];
  const char *claim; /* as the handler sees it */
  const char *alias;
  const char *detail;
  const char *mark;
  const char *counts;
  grpc_arg arguments[3];
} row;

#define ANSWERED "inbound_errors 1 sent_own 1"
#define ALIAS TEST_STRING("eown.claim_key_alias", "x-alias")

static const row rows[] = {
    {"nothing",
     "enforce",
     {{0}},
     "none",
     "none",
     "none",
     "none",
     "inbound_calls 1 " ANSWERED,
     {{0}}},
    {"claim",
     "enforce",
     {{"error-claim", "claimed", 0}},
     "none",
     "none",
     "none",
     "none",
     "inbound_calls 1 " ANSWERED " stripped_claims 1",
     {{0}}},
    {"all keys",
     "observe",
     {{"error-claim", "claimed", 0},
      {"error-claim", "unclaimed", 0},
      {"error-claim-bin", "garbage", 0},
      {"x-alias", "claimed", 0}},
     "none",
     "none",
     "none",
     "none",
     "inbound_calls 1 " ANSWERED " stripped_claims 1",
     {ALIAS}},
    {"alias not configured",
     "enforce",
     {{"x-alias", "claimed", 0}},
     "none",
     "claimed",
     "none",
     "none",
     "inbound_calls 1 " ANSWERED,
     {{0}}},
    {"off",
     "off",
     {{"error-claim", "claimed", 0},
      {"error-claim-bin", "garbage", 0},
      {"x-alias", "claimed", 0},
      {MARK, "1", 0}},
     "claimed",
     "claimed",
     "garbage",
     "1",
     "",
     {ALIAS}},
    {"no eown",
     NULL,
     {{"error-claim", "claimed", 0}, {MARK, "1", 0}},
     "claimed",
     "none",
     "none",
     "1",
     "",
     {{0}}},

    {"mark",
     "enforce",
     {{MARK, "1", 0}},
     "none",
     "none",
     "none",
     "1",
     "inbound_calls 1 inbound_retries 1 " ANSWERED,
     {{0}}},
    {"another mark",
     "enforce",
     {{MARK, "2", 0}},
     "none",
     "none",
     "none",
     "2",
     "inbound_calls 1 " ANSWERED " malformed_mark 1",
     {{0}}},
    {"empty mark",
     "enforce",
     {{MARK, "", 0}},
     "none",
     "none",
     "none",
     "",
     "inbound_calls 1 " ANSWERED " malformed_mark 1",
     {{0}}},
    {"long mark",
     "enforce",
     {{MARK, "1111111111111111", 0}},
     "none",
     "none",
     "none",
     "1111111111111111",
     "inbound_calls 1 " ANSWERED " malformed_mark 1",
     {{0}}},
    {"mark at the trust boundary",
     "enforce",
     {{MARK, "1", 0}},
     "none",
     "none",
     "none",
     "none",
     "inbound_calls 1 inbound_errors 1",
     {TEST_INTEGER("eown.trust_boundary", 1)}},
};

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_pair pair;
  test_reply reply;
  test_server_options server = {
      .mode = self->mode, .arguments = self->arguments, .script = &missing};
  test_pair_start(&pair, &server, &(test_channel_options){0});
  test_pair_call(&pair, &(test_request){.metadata = self->metadata}, &reply);
  CHECK_STREQ(self->claim, test_server_saw(pair.server, 0, "error-claim").text);
  CHECK_STREQ(self->alias, test_server_saw(pair.server, 0, "x-alias").text);
  CHECK_STREQ(self->detail,
              test_server_saw(pair.server, 0, "error-claim-bin").text);
  CHECK_STREQ(self->mark, test_server_saw(pair.server, 0, MARK).text);
  test_pair_stop(&pair);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  CHECK_COUNTS(self->counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Mark, RequestsOfEveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

/* The marks that the server saw on three attempts of a call, "a,b,c". */
static test_text marks_of(const test_channel_options *channel) {
  test_pair pair;
  test_reply reply;
  test_text marks = {""};
  test_server_options server = {.mode = "enforce", .script = &missing};
  test_pair_start(&pair, &server, channel);
  CHECK_EQ(3u, test_pair_call(&pair, &(test_request){0}, &reply));
  for (unsigned i = 0; i < 3; i++) {
    strcat(marks.text, i > 0 ? "," : "");
    strcat(marks.text, test_server_saw(pair.server, i, MARK).text);
  }
  test_pair_stop(&pair);
  test_reply_clear(&reply);
  return marks;
}

EOWN_TEST(Mark, OnRetriesOnly) {
  test_channel_options channel = {.mode = "enforce", .attempts = 3};
  CHECK_STREQ("none,1,1", marks_of(&channel).text);
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 3 outbound_retries 2 "
               "outbound_errors 1 received_claimed 3 retry_allowed 2 "
               "refused_attempts 1 context_drops 1 inbound_calls 3 "
               "inbound_retries 2 inbound_errors 3 sent_own 3");
}

EOWN_TEST(Mark, ObserveMarksAsWell) {
  test_channel_options channel = {.mode = "observe", .attempts = 3};
  CHECK_STREQ("none,1,1", marks_of(&channel).text);
}

static const grpc_arg boundary[] = {TEST_INTEGER("eown.trust_boundary", 1),
                                    {0}};

EOWN_TEST(Mark, NotAcrossTheTrustBoundary) {
  test_channel_options channel = {
      .mode = "enforce", .attempts = 3, .arguments = boundary};
  CHECK_STREQ("none,none,none", marks_of(&channel).text);
}

/* gRPC's own grpc-previous-rpc-attempts is a mark too. */
EOWN_TEST(Mark, StockRetriesCountAsRetries) {
  test_channel_options channel = {.attempts = 3};
  CHECK_STREQ("none,none,none", marks_of(&channel).text);
  CHECK_COUNTS("inbound_calls 3 inbound_retries 2 inbound_errors 3 "
               "sent_own 3");
}
