/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Every key that eown reads or writes, forwarded by a gateway, set by an
 * application or repeated. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "hops.h"

#define MARK EOWN_RETRY_MARK_KEY
#define PREVIOUS "grpc-previous-rpc-attempts"
#define BOUNDARY TEST_INTEGER("eown.trust_boundary", 1)
#define ALIAS TEST_STRING("eown.claim_key_alias", "x-alias")
#define NO_RETRIES TEST_INTEGER(GRPC_ARG_ENABLE_RETRIES, 0)

static const grpc_arg boundary[] = {BOUNDARY, ALIAS, {0}};
static const grpc_arg no_retries[] = {NO_RETRIES, {0}};
static const test_answer fails[] = {{.status = GRPC_STATUS_UNAVAILABLE}};
static const test_answer fails_twice[] = {
    {.status = GRPC_STATUS_UNAVAILABLE},
    {.status = GRPC_STATUS_UNAVAILABLE},
    {.status = GRPC_STATUS_OK, .messages = 1}};

/* --- grpc-previous-rpc-attempts ------------------------------------------- */

/* client with a policy -> gateway without one, which forwards what its caller
 * sent -> a callee that fails twice. The gateway made one attempt each time:
 * nobody retried, so its errors are claimed, and its caller's retries reach the
 * callee, as they do in stock gRPC. */
static void check_reaches_ok(const char *mode, const char *claims) {
  TEST_TRACE("%s", mode == NULL ? "stock" : mode);
  test_hops hops = {.back = {.script = fails_twice, .answers = 3},
                    .outbound = {.mode = mode, .arguments = no_retries},
                    .front = {.mode = mode},
                    .client = {.mode = mode, .attempts = 4},
                    .forwards = true};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_EQ(GRPC_STATUS_OK, result.reply.status);
  CHECK_EQ(3u, result.front_attempts);
  CHECK_EQ(3u, result.back_attempts);
  if (claims != NULL)
    CHECK_STREQ(claims, test_counts_of(TEST_FRONT_METHOD).text);
  test_reply_clear(&result.reply);
}

EOWN_TEST(Forwarded, AttemptsAreWhatEownSawItself) {
  check_reaches_ok(NULL, NULL);
  check_reaches_ok("observe", NULL);
  check_reaches_ok("enforce",
                   "outbound_retries 2 received_claimed 2 retry_allowed 2 "
                   "context_drops 1");
}

/* The first attempt of a call that says otherwise: one attempt, no retry. */
static void check_first_attempt(const char *value) {
  TEST_TRACE(PREVIOUS ": %s", value);
  const test_field previous[] = {{PREVIOUS, value, 0}, {0}};
  test_pair pair;
  test_reply reply;
  test_pair_start(
      &pair, &(test_server_options){.script = fails},
      &(test_channel_options){.mode = "enforce", .arguments = no_retries});
  CHECK_EQ(
      1u, test_pair_call(&pair, &(test_request){.metadata = previous}, &reply));
  CHECK_STREQ("none", test_server_saw(pair.server, 0, MARK).text);
  test_pair_stop(&pair);
  CHECK_STREQ("outbound_calls 1 outbound_attempts 1 outbound_errors 1 "
              "received_missing 1 refused_no_policy 1",
              test_counts_without(EOWN_COUNTER_context_drops).text);
  test_reply_clear(&reply);
}

EOWN_TEST(Forwarded, TheApplicationsCountOfAttemptsIsNone) {
  check_first_attempt("0");
  check_first_attempt("1");
  check_first_attempt("4294967295");
  check_first_attempt("-1");
  check_first_attempt("x");
}

/* A channel's own retries are counted all the same. */
EOWN_TEST(Forwarded, RetriesAreCountedFromOne) {
  static const test_field previous[] = {{PREVIOUS, "7", 0}, {0}};
  test_pair pair;
  test_reply reply;
  test_pair_start(&pair, &(test_server_options){.script = fails},
                  &(test_channel_options){.mode = "enforce", .attempts = 3});
  CHECK_EQ(
      3u, test_pair_call(&pair, &(test_request){.metadata = previous}, &reply));
  test_pair_stop(&pair);
  CHECK_STREQ("outbound_calls 1 outbound_attempts 3 outbound_retries 2 "
              "outbound_errors 1 received_missing 3 retry_allowed 2 "
              "refused_attempts 1",
              test_counts_without(EOWN_COUNTER_context_drops).text);
  test_reply_clear(&reply);
}

/* --- the mark in requests ------------------------------------------------- */

typedef struct mark_row {
  const char *name;
  const char *sent[2]; /* by the application */
  int attempts;
  const grpc_arg *arguments;
  const char *marks; /* that the server saw, attempt by attempt */
} mark_row;

static const mark_row marks[] = {
    {"set by the application", {"1"}, 0, NULL, "1"},
    {"set, and a retry", {"1"}, 2, NULL, "1,1"},
    {"repeated, and a retry", {"1", "1"}, 2, NULL, "1|1,1"},
    {"another value, and a retry", {"2"}, 2, NULL, "2,1"},
    {"at the boundary", {"1"}, 2, boundary, "none,none"},
    {"repeated at the boundary", {"1", "1"}, 0, boundary, "none"},
};

static void check_marks(const mark_row *row) {
  TEST_TRACE("%s", row->name);
  test_field sent[3] = {{0}};
  for (int i = 0; i < 2 && row->sent[i] != NULL; i++)
    sent[i] = (test_field){MARK, row->sent[i], 0};
  test_pair pair;
  test_reply reply;
  test_text seen = {""};
  test_pair_start(&pair, &(test_server_options){.script = fails},
                  &(test_channel_options){.mode = "enforce",
                                          .attempts = row->attempts,
                                          .arguments = row->arguments});
  unsigned attempts =
      test_pair_call(&pair, &(test_request){.metadata = sent}, &reply);
  for (unsigned i = 0; i < attempts; i++) {
    strcat(seen.text, i > 0 ? "," : "");
    strcat(seen.text, test_server_saw(pair.server, i, MARK).text);
  }
  CHECK_STREQ(row->marks, seen.text);
  test_pair_stop(&pair);
  test_reply_clear(&reply);
}

EOWN_TEST(Forwarded, MarksOfEveryRow) {
  for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
    check_marks(&marks[i]);
}

/* One mark of the known value is enough, wherever it stands. */
EOWN_TEST(Forwarded, ARepeatedMarkIsAMark) {
  static const test_field repeated[] = {{MARK, "2", 0}, {MARK, "1", 0}, {0}};
  test_pair pair;
  test_reply reply;
  test_pair_start(&pair,
                  &(test_server_options){.mode = "enforce", .script = fails},
                  &(test_channel_options){0});
  test_pair_call(&pair, &(test_request){.metadata = repeated}, &reply);
  test_pair_stop(&pair);
  CHECK_COUNTS("inbound_calls 1 inbound_retries 1 inbound_errors 1 sent_own 1");
  test_reply_clear(&reply);
}

/* What a boundary does not believe, its application cannot forward either. */
EOWN_TEST(Forwarded, NoMarkCrossesABoundary) {
  static const test_field mark[] = {{MARK, "1", 0}, {0}};
  test_hops hops = {.back = {.script = fails},
                    .outbound = {.mode = "enforce"},
                    .front = {.mode = "enforce", .arguments = boundary},
                    .request = {.metadata = mark},
                    .forwards = true};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_STREQ("none", result.marks.text);
  test_reply_clear(&result.reply);
}

/* --- claim keys in requests ----------------------------------------------- */

static const test_field claims[] = {{"error-claim", "unclaimed", 0},
                                    {"error-claim-bin", "\x18\x03", 2},
                                    {"x-alias", "unclaimed", 0},
                                    {MARK, "1", 0},
                                    {0}};

static void check_sent(const grpc_arg *arguments, const char *expected) {
  static const char *const keys[] = {"error-claim", "error-claim-bin",
                                     "x-alias", MARK};
  test_pair pair;
  test_reply reply;
  test_pair_start(
      &pair, &(test_server_options){.script = fails},
      &(test_channel_options){.mode = "enforce", .arguments = arguments});
  test_pair_call(&pair, &(test_request){.metadata = claims}, &reply);
  for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
    TEST_TRACE("%s", keys[i]);
    const char *saw = test_server_saw(pair.server, 0, keys[i]).text;
    CHECK_STREQ(expected, strcmp(saw, "none") == 0 ? "none" : "sent");
  }
  test_pair_stop(&pair);
  test_reply_clear(&reply);
}

/* They mean nothing to the callee, so only a boundary takes them out. */
EOWN_TEST(Forwarded, ABoundarySendsNothingInRequests) {
  check_sent(NULL, "sent");
  check_sent(boundary, "none");
}

/* --- trailers that a handler copied --------------------------------------- */

typedef struct copy_row {
  const char *name;
  test_field trailers[4]; /* of the back */
  const grpc_arg *outbound;
  const grpc_arg *front;
  const char *claim; /* as it leaves the front */
  const char *pushback;
} copy_row;

static const grpc_arg fail_open[] = {TEST_STRING("eown.pins", "*=fail-open"),
                                     {0}};

static const copy_row copies[] = {
    {"unclaimed",
     {{"error-claim", "unclaimed", 0}, {TEST_PUSHBACK_KEY, "-1", 0}},
     NULL,
     NULL,
     "unclaimed",
     "-1"},
    /* The front's own error: its caller's retry is wanted. */
    {"unclaimed, fail-open",
     {{"error-claim", "unclaimed", 0}, {TEST_PUSHBACK_KEY, "-1", 0}},
     fail_open,
     NULL,
     "claimed",
     "none"},
    {"alias, fail-open",
     {{"error-claim", "unclaimed", 0},
      {"x-alias", "unclaimed", 0},
      {TEST_PUSHBACK_KEY, "-1", 0}},
     fail_open,
     NULL,
     "claimed",
     "none"},
    /* A wait harms nobody, and may be the front's own wish. */
    {"a wait, fail-open",
     {{"error-claim", "claimed", 0}, {TEST_PUSHBACK_KEY, "25", 0}},
     fail_open,
     NULL,
     "claimed",
     "25"},
    /* Without a claim beside it, it may be the front's own. */
    {"no claim, fail-open",
     {{TEST_PUSHBACK_KEY, "-1", 0}},
     fail_open,
     NULL,
     "claimed",
     "-1"},
    {"repeated claims, fail-open",
     {{"error-claim", "unclaimed", 0},
      {"error-claim", "unclaimed", 0},
      {TEST_PUSHBACK_KEY, "-1", 0}},
     fail_open,
     NULL,
     "claimed",
     "none"},
    {"at the boundary",
     {{"error-claim", "unclaimed", 0}, {TEST_PUSHBACK_KEY, "-1", 0}},
     NULL,
     boundary,
     "none",
     "none"},
};

static void check_copy(const copy_row *row) {
  TEST_TRACE("%s", row->name);
  test_answer answer = {.status = GRPC_STATUS_UNAVAILABLE};
  memcpy(answer.trailers, row->trailers, sizeof(row->trailers));
  test_hops hops = {.back = {.script = &answer},
                    .outbound = {.mode = "enforce", .arguments = row->outbound},
                    .front = {.mode = "enforce", .arguments = row->front},
                    .copies = true};
  test_hops_result result;
  test_hops_run(&hops, &result);
  const grpc_metadata_array *trailers = &result.reply.trailers;
  CHECK_STREQ(row->claim, test_metadata_text(trailers, "error-claim").text);
  CHECK_STREQ(row->pushback,
              test_metadata_text(trailers, TEST_PUSHBACK_KEY).text);
  test_reply_clear(&result.reply);
}

EOWN_TEST(Forwarded, CopiedTrailersOfEveryRow) {
  for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
    check_copy(&copies[i]);
}
