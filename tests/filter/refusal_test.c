/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* "Why was it not retried": the reasons of gRPC's own. A stop by eown is only
 * counted where gRPC would have retried. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

#define CALLED "outbound_calls 1 outbound_attempts "
#define ONE CALLED "1 outbound_errors 1 "
#define CLAIM(value)                                                           \
  { "error-claim", value, 0 }
#define PUSHBACK(value)                                                        \
  { TEST_PUSHBACK_KEY, value, 0 }

typedef struct row {
  const char *name;
  test_answer answer;
  size_t size;          /* of the request */
  const char *pushback; /* that the application sees */
  unsigned attempts;
  const char *counts;
  test_channel_options channel;
} row;

static const grpc_arg no_retries[] = {TEST_INTEGER(GRPC_ARG_ENABLE_RETRIES, 0),
                                      {0}};
static const grpc_arg minimal[] = {TEST_INTEGER(GRPC_ARG_MINIMAL_STACK, 1),
                                   {0}};
static const grpc_arg small_buffer[] = {
    TEST_INTEGER(GRPC_ARG_PER_RPC_RETRY_BUFFER_SIZE, 100), {0}};

#define ANSWER(code, ...)                                                      \
  {                                                                            \
    .status = GRPC_STATUS_##code, .trailers = { __VA_ARGS__ }                  \
  }
#define CHANNEL(...)                                                           \
  { .mode = "enforce", __VA_ARGS__ }

static const row rows[] = {
    {"no policy", ANSWER(UNAVAILABLE, CLAIM("claimed")), 0, "none", 1,
     ONE "received_claimed 1 refused_no_policy 1", CHANNEL()},
    {"no policy, unclaimed", ANSWER(UNAVAILABLE, CLAIM("unclaimed")), 0, "none",
     1, ONE "received_unclaimed 1 refused_no_policy 1", CHANNEL()},
    {"retries switched off", ANSWER(UNAVAILABLE, CLAIM("unclaimed")), 0, "none",
     1, ONE "received_unclaimed 1 refused_no_policy 1",
     CHANNEL(.attempts = 4, .arguments = no_retries)},
    {"minimal stack", ANSWER(UNAVAILABLE, CLAIM("unclaimed")), 0, "none", 1,
     ONE "received_unclaimed 1 refused_no_policy 1",
     CHANNEL(.attempts = 4, .arguments = minimal)},
    {"status not listed", ANSWER(INTERNAL, CLAIM("unclaimed")), 0, "none", 1,
     ONE "received_unclaimed 1 refused_status 1", CHANNEL(.attempts = 4)},
    {"two attempts", ANSWER(UNAVAILABLE, CLAIM("claimed")), 0, "none", 2,
     CALLED "2 outbound_retries 1 outbound_errors 1 received_claimed 2 "
            "retry_allowed 1 refused_attempts 1",
     CHANNEL(.attempts = 2)},
    {"more than gRPC's five", ANSWER(UNAVAILABLE, CLAIM("claimed")), 0, "none",
     5,
     CALLED "5 outbound_retries 4 outbound_errors 1 received_claimed 5 "
            "retry_allowed 4 refused_attempts 1",
     CHANNEL(.attempts = 9)},
    {"early headers",
     {.status = GRPC_STATUS_UNAVAILABLE,
      .early = true,
      .trailers = {CLAIM("unclaimed")}},
     0,
     "none",
     1,
     ONE "received_unclaimed 1 refused_committed 1",
     CHANNEL(.attempts = 4)},
    {"request larger than the replay buffer",
     ANSWER(UNAVAILABLE, CLAIM("claimed")), 1000, "none", 1,
     ONE "received_claimed 1 refused_committed 1",
     CHANNEL(.attempts = 4, .arguments = small_buffer)},
    {"callee's negative pushback",
     ANSWER(UNAVAILABLE, CLAIM("claimed"), PUSHBACK("-1")), 0, "-1", 1,
     ONE "received_claimed 1 refused_pushback 1", CHANNEL(.attempts = 4)},
    {"callee's negative pushback, unclaimed",
     ANSWER(UNAVAILABLE, CLAIM("unclaimed"), PUSHBACK("-1")), 0, "-1", 1,
     ONE "received_unclaimed 1 stopped_unclaimed 1", CHANNEL(.attempts = 4)},
    {"callee's positive pushback",
     ANSWER(UNAVAILABLE, CLAIM("claimed"), PUSHBACK("2")), 0, "2", 3,
     CALLED "3 outbound_retries 2 outbound_errors 1 received_claimed 3 "
            "retry_allowed 2 refused_attempts 1",
     CHANNEL(.attempts = 3)},
    {"callee's positive pushback, unclaimed",
     ANSWER(UNAVAILABLE, CLAIM("unclaimed"), PUSHBACK("7")), 0, "7", 1,
     ONE "received_unclaimed 1 stopped_unclaimed 1", CHANNEL(.attempts = 4)},
    /* 2 tokens - 1 = 1, not above 2 / 2. */
    {"throttled", ANSWER(UNAVAILABLE, CLAIM("unclaimed")), 0, "none", 1,
     ONE "received_unclaimed 1 refused_throttled 1",
     CHANNEL(.attempts = 4,
             .throttling = "{\"maxTokens\":2,\"tokenRatio\":0.1}")},
    /* 4 - 1 = 3 is above 2, 3 - 1 = 2 is not. */
    {"throttled at the second", ANSWER(UNAVAILABLE, CLAIM("claimed")), 0,
     "none", 2,
     CALLED "2 outbound_retries 1 outbound_errors 1 received_claimed 2 "
            "retry_allowed 1 refused_throttled 1",
     CHANNEL(.attempts = 4,
             .throttling = "{\"maxTokens\":4,\"tokenRatio\":0.1}")},
};

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_pair pair;
  test_reply reply;
  test_server_options server = {.script = &self->answer};
  test_pair_start(&pair, &server, &self->channel);
  CHECK_EQ(self->attempts,
           test_pair_call(&pair, &(test_request){.size = self->size}, &reply));
  test_pair_stop(&pair);
  CHECK_EQ(self->answer.status, reply.status);
  CHECK_STREQ(self->pushback,
              test_metadata_text(&reply.trailers, TEST_PUSHBACK_KEY).text);
  CHECK_COUNTS(self->counts);
  test_reply_clear(&reply);
}

EOWN_TEST(Refusal, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

/* A saved retry is one that gRPC would have made. */
EOWN_TEST(Refusal, LastAttemptIsNoSavedRetry) {
  static const test_answer script[] = {ANSWER(UNAVAILABLE, CLAIM("claimed")),
                                       ANSWER(UNAVAILABLE, CLAIM("unclaimed"))};
  CHECK_EQ(2u, test_pair_attempts(
                   &(test_server_options){.script = script, .answers = 2},
                   &(test_channel_options)CHANNEL(.attempts = 2)));
  CHECK_COUNTS(CALLED "2 outbound_retries 1 outbound_errors 1 "
                      "received_claimed 1 received_unclaimed 1 "
                      "retry_allowed 1 refused_attempts 1");
}

static void call(test_pair *pair) {
  test_reply reply;
  CHECK_EQ(1u, test_pair_call(pair, &(test_request){0}, &reply));
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, reply.status);
  test_reply_clear(&reply);
}

/* gRPC asks its throttle before the pushback: a stopped retry has drained a
 * token all the same. Of 4 tokens the stop leaves 3, the next failure 2. */
EOWN_TEST(Refusal, StopDrainsAToken) {
  static const test_answer script[] = {ANSWER(UNAVAILABLE, CLAIM("unclaimed")),
                                       ANSWER(UNAVAILABLE, CLAIM("claimed"))};
  test_pair pair;
  test_pair_start(
      &pair, &(test_server_options){.script = script, .answers = 2},
      &(test_channel_options)
          CHANNEL(.attempts = 4,
                  .throttling = "{\"maxTokens\":4,\"tokenRatio\":0.1}"));
  call(&pair);
  call(&pair);
  test_pair_stop(&pair);
  CHECK_COUNTS("outbound_calls 2 outbound_attempts 2 outbound_errors 2 "
               "received_claimed 1 received_unclaimed 1 stopped_unclaimed 1 "
               "refused_throttled 1");
}

/* Attempts of a call on a second channel to the same target, which has another
 * bucket size; the buckets of one target are gRPC's, and shared. */
static unsigned second_throttle(const char *mode) {
  static const test_answer answer = ANSWER(UNAVAILABLE, CLAIM("claimed"));
  test_pair pair;
  test_reply reply;
  test_channel_options options = {.mode = mode,
                                  .attempts = 5,
                                  .throttling =
                                      "{\"maxTokens\":100,\"tokenRatio\":0.1}"};
  test_pair_start(&pair, &(test_server_options){.script = &answer}, &options);
  CHECK_EQ(5u, test_pair_call(&pair, &(test_request){0}, &reply));
  test_reply_clear(&reply);
  grpc_channel_destroy(pair.channel);
  eown_counters_reset();
  options.throttling = "{\"maxTokens\":4,\"tokenRatio\":0.1}";
  pair.channel = test_channel_make(test_server_target(pair.server), &options);
  unsigned attempts = test_pair_call(&pair, &(test_request){0}, &reply);
  test_reply_clear(&reply);
  test_pair_stop(&pair);
  return attempts;
}

/* 95 of 100 tokens are scaled to 3.8 of 4: 2.8 allow a retry, 1.8 do not. To
 * ask for the level must not change it. */
EOWN_TEST(Refusal, TwoBucketSizesOfOneTarget) {
  CHECK_EQ(2u, second_throttle(NULL));
  CHECK_EQ(2u, second_throttle("off"));
  CHECK_EQ(2u, second_throttle("enforce"));
  CHECK_COUNTS(CALLED "2 outbound_retries 1 outbound_errors 1 "
                      "received_claimed 2 retry_allowed 1 "
                      "refused_throttled 1");
}

/* The request's metadata fills the buffer as its messages do. */
EOWN_TEST(Refusal, MetadataLargerThanTheReplayBuffer) {
  static const test_answer answer = ANSWER(UNAVAILABLE, CLAIM("unclaimed"));
  static const test_field metadata[] = {
      {"x-long",
       "0123456789012345678901234567890123456789012345678901234567890"
       "0123456789012345678901234567890123456789012345678901234567890",
       0},
      {0}};
  test_pair pair;
  test_reply reply;
  test_pair_start(
      &pair, &(test_server_options){.script = &answer},
      &(test_channel_options)CHANNEL(.attempts = 4, .arguments = small_buffer));
  CHECK_EQ(
      1u, test_pair_call(&pair, &(test_request){.metadata = metadata}, &reply));
  test_pair_stop(&pair);
  CHECK_COUNTS(ONE "received_unclaimed 1 refused_committed 1");
  test_reply_clear(&reply);
}
