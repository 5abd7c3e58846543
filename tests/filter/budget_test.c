/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The retry budget (rule 5) in the channel. Four attempts allowed. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

#define CALLED "outbound_calls 1 outbound_attempts "
#define PERCENT(text) TEST_STRING("eown.retry_budget_percent", text)
#define FLOOR(text) TEST_STRING("eown.retry_budget_min_per_second", text)

static const test_answer missing = {.status = GRPC_STATUS_UNAVAILABLE};
static const test_answer ok = {.status = GRPC_STATUS_OK, .messages = 1};

static unsigned attempts_of(const char *mode, const grpc_arg *arguments) {
  return test_pair_attempts(&(test_server_options){.script = &missing},
                            &(test_channel_options){.mode = mode,
                                                    .arguments = arguments,
                                                    .attempts = 4});
}

EOWN_TEST(Budget, NothingAllowed) {
  static const grpc_arg none[] = {
      TEST_INTEGER("eown.retry_budget_percent", 0),
      TEST_INTEGER("eown.retry_budget_min_per_second", 0),
      {0}};
  CHECK_EQ(1u, attempts_of("enforce", none));
  CHECK_COUNTS(CALLED "1 outbound_errors 1 received_missing 1 "
                      "stopped_budget 1");
}

EOWN_TEST(Budget, NothingAllowedObserved) {
  static const grpc_arg none[] = {PERCENT("0"), FLOOR("0"), {0}};
  CHECK_EQ(4u, attempts_of("observe", none));
  CHECK_COUNTS(CALLED "4 outbound_retries 3 outbound_errors 1 "
                      "received_missing 4 stopped_budget 3 refused_attempts 1");
}

/* 100 % of one first attempt is one retry. */
EOWN_TEST(Budget, AsManyRetriesAsCalls) {
  static const grpc_arg all[] = {PERCENT("100"), FLOOR("0"), {0}};
  CHECK_EQ(2u, attempts_of("enforce", all));
  CHECK_COUNTS(CALLED "2 outbound_retries 1 outbound_errors 1 "
                      "received_missing 2 retry_allowed 1 stopped_budget 1");
}

/* 0.2 a second are 2 in the window of 10 s. */
EOWN_TEST(Budget, Floor) {
  static const grpc_arg two[] = {PERCENT("0"), FLOOR("0.2"), {0}};
  CHECK_EQ(3u, attempts_of("enforce", two));
  CHECK_COUNTS(CALLED "3 outbound_retries 2 outbound_errors 1 "
                      "received_missing 3 retry_allowed 2 stopped_budget 1");
}

/* The default floor of 10 a second does not stand in the way of one call. */
EOWN_TEST(Budget, DefaultFloor) {
  static const grpc_arg percent[] = {PERCENT("0"), {0}};
  CHECK_EQ(4u, attempts_of("enforce", percent));
}

EOWN_TEST(Budget, MinusOneIsNone) {
  static const grpc_arg none[] = {
      TEST_INTEGER("eown.retry_budget_percent", -1), FLOOR("0"), {0}};
  CHECK_EQ(4u, attempts_of("enforce", none));
}

static unsigned call(test_pair *pair) {
  test_reply reply;
  unsigned attempts = test_pair_call(pair, &(test_request){0}, &reply);
  test_reply_clear(&reply);
  return attempts;
}

/* 20 calls at 10 %: the 10th and the 20th have a retry each. */
EOWN_TEST(Budget, TenPercent) {
  static const grpc_arg tenth[] = {PERCENT("10"), FLOOR("0"), {0}};
  test_pair pair;
  unsigned attempts = 0;
  test_pair_start(&pair, &(test_server_options){.script = &missing},
                  &(test_channel_options){
                      .mode = "enforce", .arguments = tenth, .attempts = 4});
  for (unsigned i = 0; i < 20; i++)
    attempts += call(&pair);
  test_pair_stop(&pair);
  CHECK_EQ(22u, attempts);
  CHECK_COUNTS("outbound_calls 20 outbound_attempts 22 outbound_retries 2 "
               "outbound_errors 20 received_missing 22 retry_allowed 2 "
               "stopped_budget 20");
}

/* An unclaimed error and the callee's own pushback take nothing: the one retry
 * of 50 % of two calls is left for the second. */
EOWN_TEST(Budget, StopsTakeNothing) {
  static const test_answer script[] = {
      {.status = GRPC_STATUS_UNAVAILABLE,
       .trailers = {{"error-claim", "unclaimed", 0}}},
      {.status = GRPC_STATUS_UNAVAILABLE,
       .trailers = {{TEST_PUSHBACK_KEY, "-1", 0}}},
      {.status = GRPC_STATUS_UNAVAILABLE}};
  static const grpc_arg third[] = {PERCENT("34"), FLOOR("0"), {0}};
  test_pair pair;
  test_pair_start(&pair, &(test_server_options){.script = script, .answers = 3},
                  &(test_channel_options){
                      .mode = "enforce", .arguments = third, .attempts = 4});
  CHECK_EQ(1u, call(&pair));
  CHECK_EQ(1u, call(&pair));
  CHECK_EQ(2u, call(&pair));
  test_pair_stop(&pair);
}

static const test_answer first_ok[] = {
    {.status = GRPC_STATUS_OK, .messages = 1},
    {.status = GRPC_STATUS_UNAVAILABLE}};

/* The attempts of a failing call on a channel of its own, after a call on the
 * first channel. */
static unsigned second_channel(const grpc_arg *one, const grpc_arg *two) {
  test_pair pair;
  test_channel_options options = {
      .mode = "enforce", .arguments = one, .attempts = 4};
  test_pair_start(&pair,
                  &(test_server_options){.script = first_ok, .answers = 2},
                  &options);
  CHECK_EQ(1u, call(&pair));
  grpc_channel *first = pair.channel;
  options.arguments = two;
  pair.channel = test_channel_make(test_server_target(pair.server), &options);
  unsigned attempts = call(&pair);
  grpc_channel_destroy(first);
  test_pair_stop(&pair);
  return attempts;
}

/* Two first attempts, one on each channel, allow two retries. */
EOWN_TEST(Budget, ChannelsToOneTargetShare) {
  static const grpc_arg one[] = {PERCENT("100"), FLOOR("0"), {0}};
  CHECK_EQ(3u, second_channel(one, one));
}

EOWN_TEST(Budget, OtherFiguresAreApart) {
  static const grpc_arg one[] = {PERCENT("100"), FLOOR("0"), {0}};
  static const grpc_arg two[] = {PERCENT("101"), FLOOR("0"), {0}};
  CHECK_EQ(2u, second_channel(one, two));
}

EOWN_TEST(Budget, SuccessesTakeNothing) {
  static const grpc_arg none[] = {PERCENT("0"), FLOOR("0"), {0}};
  test_reply reply;
  CHECK_EQ(1u, test_pair_run(&(test_server_options){.script = &ok},
                             &(test_channel_options){.mode = "enforce",
                                                     .arguments = none,
                                                     .attempts = 4},
                             &reply));
  CHECK_COUNTS(CALLED "1");
  test_reply_clear(&reply);
}
