/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The application's retry loop, apart from its inbound. */
#include "eown/counters.h"
#include "gtest_c.h"
#include "retry_support.h"

#include <math.h>
#include <string.h>

static eown_retry_end end_with(eown_status status) {
  return (eown_retry_end){.status = status};
}

static void start(eown_retry_loop *loop, const eown_retry_options *options) {
  eown_counters_reset();
  CHECK_EQ(EOWN_ERROR_OK, eown_retry_init(loop, NULL, options));
}

EOWN_TEST(Retry, CallsAgainUntilTheAttemptsAreUsedUp) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  start(&loop, &options);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_MISSING)), true,
          EOWN_LOOP_RETRY);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), true,
          EOWN_LOOP_RETRY);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), false,
          EOWN_LOOP_ATTEMPTS);
  eown_retry_clear(&loop);
  CHECK_EQ(2u, eown_counter_read(EOWN_COUNTER_loop_allowed));
  CHECK_EQ(2u, eown_counter_read(EOWN_COUNTER_loop_retries));
  CHECK_EQ(1u, eown_counter_read(EOWN_COUNTER_loop_refused_attempts));
  CHECK_EQ(3u, eown_counter_read(EOWN_COUNTER_outbound_calls));
  CHECK_EQ(3u, eown_counter_read(EOWN_COUNTER_outbound_errors));
  CHECK_EQ(1u, eown_counter_read(EOWN_COUNTER_received_missing));
  CHECK_EQ(2u, eown_counter_read(EOWN_COUNTER_received_claimed));
}

EOWN_TEST(Retry, SuccessEndsIt) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  start(&loop, &options);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_MISSING)), true,
          EOWN_LOOP_RETRY);
  ANSWERS(test_retry_call(&loop, end_with(EOWN_STATUS_OK)), false,
          EOWN_LOOP_OK);
  eown_retry_clear(&loop);
}

/* One end of a first call: what it is like, and what the loop makes of it in
 * the three modes. */
typedef struct row {
  const char *name;
  eown_retry_end end;
  eown_loop reason; /* in enforce and observe */
  bool again[EOWN_MODE_N];
} row;

#define DOWN .status = EOWN_STATUS_UNAVAILABLE
#define SEEN(own)                                                              \
  { DOWN, .seen = true, .seen_claim = (own) }

static const row rows[] = {
    {"missing", {DOWN}, EOWN_LOOP_RETRY, {true, true, true}},
    {"claimed", SEEN(EOWN_CLAIM_CLAIMED), EOWN_LOOP_RETRY, {true, true, true}},
    {"unclaimed",
     SEEN(EOWN_CLAIM_UNCLAIMED),
     EOWN_LOOP_UNCLAIMED,
     {true, true, false}},
    {"gRPC made all attempts",
     {DOWN, .seen = true, .attempts = 3},
     EOWN_LOOP_MULTIPLIED,
     {true, true, false}},
    {"gRPC made some attempts",
     {DOWN, .seen = true, .attempts = 2},
     EOWN_LOOP_RETRY,
     {true, true, true}},
    {"another status",
     {.status = EOWN_STATUS_INTERNAL},
     EOWN_LOOP_STATUS,
     {false, false, false}},
    {"cancelled",
     {.status = EOWN_STATUS_CANCELLED},
     EOWN_LOOP_CANCELLED,
     {false, false, false}},
    {"inbound cancelled",
     {DOWN, .cancelled = true},
     EOWN_LOOP_CANCELLED,
     {false, false, false}},
    {"committed",
     {DOWN, .committed = true},
     EOWN_LOOP_COMMITTED,
     {false, false, false}},
    {"deadline shorter than the backoff",
     {DOWN, .has_deadline = true, .left_ms = 10},
     EOWN_LOOP_DEADLINE,
     {false, false, false}},
    {"deadline longer than the backoff",
     {DOWN, .has_deadline = true, .left_ms = 11},
     EOWN_LOOP_RETRY,
     {true, true, true}},
    {"pushback",
     {DOWN, .pushback = EOWN_PUSHBACK_STOP},
     EOWN_LOOP_PUSHBACK,
     {false, false, false}},
    {"unclaimed with its pushback",
     {DOWN, .pushback = EOWN_PUSHBACK_STOP, .seen = true,
      .seen_claim = EOWN_CLAIM_UNCLAIMED},
     EOWN_LOOP_UNCLAIMED,
     {false, false, false}},
};

/* Without ownership its stops are nothing, whatever follows them. */
static eown_loop reason_of(const row *row, eown_mode mode) {
  if (mode != EOWN_MODE_OFF || !eown_loop_is_stop(row->reason))
    return row->reason;
  return row->again[EOWN_MODE_OFF] ? EOWN_LOOP_RETRY : EOWN_LOOP_PUSHBACK;
}

static void check_row(const row *row, eown_mode mode) {
  TEST_TRACE("%s, %s", row->name, eown_mode_name(mode));
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  options.mode = mode;
  start(&loop, &options);
  eown_retry_end end = row->end;
  end.mode = mode;
  eown_retry_answer answer = test_retry_call(&loop, end);
  ANSWERS(answer, row->again[mode], reason_of(row, mode));
  CHECK_EQ(mode != EOWN_MODE_OFF && answer.again,
           eown_counter_read(EOWN_COUNTER_loop_retries));
  eown_retry_clear(&loop);
}

EOWN_TEST(Retry, FirstCallsOfEveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    for (int mode = 0; mode < EOWN_MODE_N; mode++)
      check_row(&rows[i], (eown_mode)mode);
}

EOWN_TEST(Retry, OffCountsNothing) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(2);
  options.mode = EOWN_MODE_OFF;
  start(&loop, &options);
  test_retry_call(&loop, test_retry_end(EOWN_CLAIM_UNCLAIMED));
  test_retry_call(&loop, test_retry_end(EOWN_CLAIM_UNCLAIMED));
  eown_retry_clear(&loop);
  for (int i = 0; i < EOWN_COUNTER_N; i++) {
    TEST_TRACE("%s", eown_counter_name((eown_counter)i));
    CHECK_EQ(0u, eown_counter_read((eown_counter)i));
  }
}

EOWN_TEST(Retry, TheSwitchWins) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(2);
  start(&loop, &options);
  eown_mode_override(EOWN_MODE_OFF);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_UNCLAIMED)), true,
          EOWN_LOOP_RETRY);
  eown_mode_override(EOWN_MODE_N);
  eown_retry_clear(&loop);
}

/* --- waits ---------------------------------------------------------------- */

EOWN_TEST(Retry, BackoffGrowsAndIsCapped) {
  static const uint64_t waits[] = {10, 20, 30, 30};
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(5);
  start(&loop, &options);
  for (size_t i = 0; i < 4; i++) {
    TEST_TRACE("retry %zu", i + 1);
    eown_retry_end end = test_retry_end(EOWN_CLAIM_MISSING);
    CHECK_EQ(waits[i], test_retry_call(&loop, end).wait_ms);
  }
  eown_retry_clear(&loop);
}

/* gRPC starts its backoff anew after a pushback. */
EOWN_TEST(Retry, PushbackTakesTheBackoffsPlace) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(5);
  start(&loop, &options);
  eown_retry_end pushed = {DOWN, .pushback = EOWN_PUSHBACK_WAIT,
                           .pushback_ms = 77};
  eown_retry_end plain = {DOWN};
  CHECK_EQ(10u, test_retry_call(&loop, plain).wait_ms);
  CHECK_EQ(20u, test_retry_call(&loop, plain).wait_ms);
  CHECK_EQ(77u, test_retry_call(&loop, pushed).wait_ms);
  CHECK_EQ(10u, test_retry_call(&loop, plain).wait_ms);
  eown_retry_clear(&loop);
}

EOWN_TEST(Retry, APushbackBeyondTheDeadlineEndsIt) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(5);
  start(&loop, &options);
  eown_retry_end end = {DOWN, .has_deadline = true, .left_ms = 50,
                        .pushback = EOWN_PUSHBACK_WAIT, .pushback_ms = 50};
  ANSWERS(test_retry_call(&loop, end), false, EOWN_LOOP_DEADLINE);
  eown_retry_clear(&loop);
}

EOWN_TEST(Retry, JitterIsAFifthEitherWay) {
  CHECK_EQ(80u, eown_retry_jitter(100, 0));
  CHECK_EQ(100u, eown_retry_jitter(100, TEST_NO_JITTER));
  CHECK_EQ(120u, eown_retry_jitter(100, UINT32_MAX));
  CHECK_EQ(0u, eown_retry_jitter(0, UINT32_MAX));
  CHECK_EQ(103680000u, eown_retry_jitter(EOWN_RETRY_WAIT_MAX_MS, UINT32_MAX));
}

/* What the trailers say is a wait of so many ms; -1: no retry. */
typedef struct pushback_row {
  const char *text;
  int64_t wait;
} pushback_row;

static const pushback_row pushbacks[] = {
    {"0", 0},
    {"5", 5},
    {"86400000", 86400000},
    {"-1", -1},
    {"-0", 0},
    {"", -1},
    {"x", -1},
    {"5x", -1},
    {" 5", -1},
    {"+5", -1},
    {"1.5", -1},
    {"99999999999999999999", -1},
    {"0x10", -1},
    {"1e3", -1},
    {"-9223372036854775808", -1},
    {"007", 7},
    {"999999999999999999999999999999999", -1},
};

EOWN_TEST(Retry, PushbacksAreReadAsGrpcReadsThem) {
  static const char key[] = "grpc-retry-pushback-ms";
  for (size_t i = 0; i < sizeof(pushbacks) / sizeof(pushbacks[0]); i++) {
    const pushback_row *row = &pushbacks[i];
    TEST_TRACE("\"%s\"", row->text);
    eown_retry_end end = {DOWN};
    eown_retry_end_feed(&end, NULL, key, strlen(key), row->text,
                        strlen(row->text));
    CHECK_EQ(row->wait < 0 ? EOWN_PUSHBACK_STOP : EOWN_PUSHBACK_WAIT,
             end.pushback);
    CHECK_EQ(row->wait < 0 ? 0u : (uint64_t)row->wait, end.pushback_ms);
  }
}

/* --- claims it reads itself ----------------------------------------------- */

static void feed(eown_retry_end *end, const char *alias, const char *key,
                 const char *value) {
  eown_retry_end_feed(end, alias, key, strlen(key), value, strlen(value));
}

EOWN_TEST(Retry, ReadsClaimAndAlias) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  start(&loop, &options);
  eown_retry_end end = {DOWN};
  feed(&end, "x-claim", "x-claim", "unclaimed");
  ANSWERS(test_retry_call(&loop, end), false, EOWN_LOOP_UNCLAIMED);
  eown_retry_clear(&loop);
}

/* Repeated, contradictory and unknown claims are none, and counted. */
EOWN_TEST(Retry, BelievesNoMalformedClaim) {
  static const char *const values[][2] = {
      {"unclaimed", "unclaimed"}, {"unclaimed", "claimed"}, {"maybe", NULL}};
  for (size_t i = 0; i < 3; i++) {
    eown_retry_loop loop;
    eown_retry_options options = test_retry_options(3);
    start(&loop, &options);
    eown_retry_end end = {DOWN};
    for (size_t j = 0; j < 2 && values[i][j] != NULL; j++)
      feed(&end, NULL, EOWN_CLAIM_KEY, values[i][j]);
    ANSWERS(test_retry_call(&loop, end), true, EOWN_LOOP_RETRY);
    CHECK_EQ(1u, eown_counter_read(EOWN_COUNTER_malformed_claim));
    eown_retry_clear(&loop);
  }
}

EOWN_TEST(Retry, AtTheTrustBoundaryItBelievesNothingAndMarksNothing) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  options.trust_boundary = true;
  start(&loop, &options);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_UNCLAIMED)), true,
          EOWN_LOOP_RETRY);
  CHECK_FALSE(eown_retry_begin(&loop, 1000));
  eown_retry_clear(&loop);
}

EOWN_TEST(Retry, MarksTheSecondCallAndThoseAfterIt) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  start(&loop, &options);
  eown_retry_end end = test_retry_end(EOWN_CLAIM_MISSING);
  CHECK_FALSE(eown_retry_begin(&loop, 1000));
  eown_retry_again(&loop, &end, 1000, 0);
  CHECK_TRUE(eown_retry_begin(&loop, 1000));
  eown_retry_again(&loop, &end, 1000, 0);
  CHECK_TRUE(eown_retry_begin(&loop, 1000));
  eown_retry_clear(&loop);
}

/* --- the budget ----------------------------------------------------------- */

EOWN_TEST(Retry, TheBudgetHoldsOverAllLoops) {
  eown_budget *budget = eown_budget_acquire("loops", 10, 0, NULL);
  eown_retry_options options = test_retry_options(2);
  options.budget = budget;
  eown_counters_reset();
  unsigned retries = 0;
  for (int i = 0; i < 100; i++) {
    eown_retry_loop loop;
    eown_retry_init(&loop, NULL, &options);
    eown_retry_end end = test_retry_end(EOWN_CLAIM_CLAIMED);
    retries += test_retry_call(&loop, end).again ? 1 : 0;
    if (!loop.ended)
      test_retry_call(&loop, end);
    eown_retry_clear(&loop);
  }
  CHECK_EQ(10u, retries);
  CHECK_EQ(90u, eown_counter_read(EOWN_COUNTER_loop_stopped_budget));
  eown_budget_release(budget);
}

/* --- bad input ------------------------------------------------------------ */

EOWN_TEST(Retry, AfterItsEndTheAnswerStaysNo) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(2);
  start(&loop, &options);
  test_retry_call(&loop, end_with(EOWN_STATUS_INTERNAL));
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), false,
          EOWN_LOOP_MISUSED);
  eown_retry_clear(&loop);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), false,
          EOWN_LOOP_MISUSED);
  CHECK_EQ(2u, eown_counter_read(EOWN_COUNTER_loop_misused));
}

EOWN_TEST(Retry, AnEndWithoutACallIsMisuse) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(2);
  start(&loop, &options);
  eown_retry_end end = test_retry_end(EOWN_CLAIM_CLAIMED);
  ANSWERS(eown_retry_again(&loop, &end, 1000, 0), false, EOWN_LOOP_MISUSED);
  eown_retry_clear(&loop);
}

/* The second thread is told no, and the first goes on. */
EOWN_TEST(Retry, TwoThreadsAtOnceAreNoticed) {
  eown_retry_loop loop;
  eown_retry_options options = test_retry_options(3);
  start(&loop, &options);
  eown_retry_end end = test_retry_end(EOWN_CLAIM_CLAIMED);
  eown_retry_begin(&loop, 1000);
  loop.busy = 1; /* the first is in there */
  CHECK_FALSE(eown_retry_begin(&loop, 1000));
  ANSWERS(eown_retry_again(&loop, &end, 1000, 0), false, EOWN_LOOP_MISUSED);
  loop.busy = 0;
  ANSWERS(eown_retry_again(&loop, &end, 1000, 0), true, EOWN_LOOP_RETRY);
  CHECK_EQ(2u, eown_counter_read(EOWN_COUNTER_loop_misused));
  eown_retry_clear(&loop);
}

EOWN_TEST(Retry, DefaultsAreGood) {
  eown_retry_loop loop;
  eown_retry_options options;
  char message[96] = "";
  eown_retry_options_init(&options);
  CHECK_EQ(EOWN_ERROR_OK,
           eown_retry_options_check(&options, message, sizeof(message)));
  CHECK_STREQ("", message);
  CHECK_EQ(EOWN_ERROR_OK, eown_retry_init(&loop, NULL, NULL));
  CHECK_EQ(3, loop.options.max_attempts);
  eown_retry_clear(&loop);
}

/* Refused, with the option, the value and what was expected; such a loop makes
 * one call. */
static void check_refused(const eown_retry_options *options,
                          const char *expected) {
  TEST_TRACE("%s", expected);
  char message[128] = "";
  eown_retry_loop loop;
  eown_counters_reset();
  CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT,
           eown_retry_options_check(options, message, sizeof(message)));
  CHECK_STREQ(expected, message);
  CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT, eown_retry_init(&loop, NULL, options));
  CHECK_EQ(1u, eown_counter_read(EOWN_COUNTER_bad_settings));
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), false,
          EOWN_LOOP_ATTEMPTS);
  eown_retry_clear(&loop);
}

#define REFUSED(member, value, expected)                                       \
  do {                                                                         \
    eown_retry_options options = test_retry_options(3);                        \
    options.member = (value);                                                  \
    check_refused(&options, expected);                                         \
  } while (0)

EOWN_TEST(Retry, BadOptionsAreRefused) {
  REFUSED(max_attempts, 0,
          "max_attempts: got 0, expected a whole number from 1 to 100");
  REFUSED(max_attempts, -3,
          "max_attempts: got -3, expected a whole number from 1 to 100");
  REFUSED(
      max_attempts, INT32_MAX,
      "max_attempts: got 2147483647, expected a whole number from 1 to 100");
  REFUSED(initial_backoff_ms, -1,
          "initial_backoff_ms: got -1, expected a whole number from 0 to "
          "86400000");
  REFUSED(max_backoff_ms, INT64_MAX,
          "max_backoff_ms: got 9223372036854775807, expected a whole number "
          "from 0 to 86400000");
  REFUSED(backoff_multiplier, 0.5,
          "backoff_multiplier: got 0.5, expected a number from 1 to 1000");
  REFUSED(backoff_multiplier, (double)INFINITY,
          "backoff_multiplier: got inf, expected a number from 1 to 1000");
  REFUSED(backoff_multiplier, (double)NAN,
          "backoff_multiplier: got nan, expected a number from 1 to 1000");
  REFUSED(codes, 1u << 17,
          "codes: got 131072, expected a whole number from 0 to 131071");
  REFUSED(mode, EOWN_MODE_N,
          "mode: got 3, expected a whole number from 0 to 2");
}
