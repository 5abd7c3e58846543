/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The application's own retry loop in C, on channels with the filters and
 * without, in a client. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "counts.h"
#include "pair.h"

#define MARK EOWN_RETRY_MARK_KEY
#define UNCLAIMED                                                              \
  { "error-claim", "unclaimed", 0 }

static const test_answer fails[] = {{.status = GRPC_STATUS_UNAVAILABLE}};
static const test_answer recovers[] = {
    {.status = GRPC_STATUS_UNAVAILABLE},
    {.status = GRPC_STATUS_OK, .messages = 1}};
static const test_answer unclaimed[] = {
    {.status = GRPC_STATUS_UNAVAILABLE, .trailers = {UNCLAIMED}}};
static const test_answer pushes[] = {
    {.status = GRPC_STATUS_UNAVAILABLE,
     .trailers = {{TEST_PUSHBACK_KEY, "5", 0}}},
    {.status = GRPC_STATUS_UNAVAILABLE,
     .trailers = {{TEST_PUSHBACK_KEY, "-1", 0}}}};
static const test_answer early[] = {
    {.status = GRPC_STATUS_UNAVAILABLE, .early = true}};
static const test_answer partial[] = {
    {.status = GRPC_STATUS_UNAVAILABLE, .early = true, .messages = 1}};
static const grpc_arg boundary[] = {TEST_INTEGER("eown.trust_boundary", 1),
                                    {0}};
static const grpc_arg tenth[] = {
    TEST_STRING("eown.retry_budget_percent", "10"),
    TEST_STRING("eown.retry_budget_min_per_second", "0"),
    {0}};

/* One loop of a client: how its channel is, what the server answers, and what
 * comes of it. */
typedef struct row {
  const char *name;
  const char *mode; /* NULL: no eown on the channel */
  int policy;       /* attempts of gRPC's below */
  const grpc_arg *arguments;
  const test_answer *script;
  unsigned answers;
  bool streaming;
  int32_t attempts; /* of the loop */
  unsigned calls;
  unsigned served;
  eown_loop reason;
  const char *marks;
} row;

#define SCRIPT(answers) answers, sizeof(answers) / sizeof(answers[0])

static const row rows[] = {
    {"filters", "enforce", 0, NULL, SCRIPT(fails), false, 3, 3, 3,
     EOWN_LOOP_ATTEMPTS, "none,1,1"},
    {"filters, recovers", "enforce", 0, NULL, SCRIPT(recovers), false, 3, 2, 2,
     EOWN_LOOP_OK, "none,1"},
    {"filters, unclaimed", "enforce", 0, NULL, SCRIPT(unclaimed), false, 3, 1,
     1, EOWN_LOOP_UNCLAIMED, "none"},
    {"filters, unclaimed, observe", "observe", 0, NULL, SCRIPT(unclaimed),
     false, 3, 3, 3, EOWN_LOOP_ATTEMPTS, "none,1,1"},
    {"filters, pushback", "enforce", 0, NULL, SCRIPT(pushes), false, 3, 2, 2,
     EOWN_LOOP_PUSHBACK, "none,1"},
    {"filters, above a policy", "enforce", 2, NULL, SCRIPT(fails), false, 2, 1,
     2, EOWN_LOOP_MULTIPLIED, "none,1"},
    {"filters, above a policy, one left", "enforce", 2, NULL, SCRIPT(fails),
     false, 3, 2, 4, EOWN_LOOP_MULTIPLIED, "none,1,1,1"},
    {"filters, above a policy, observe", "observe", 2, NULL, SCRIPT(fails),
     false, 2, 2, 4, EOWN_LOOP_ATTEMPTS, "none,1,1,1"},
    {"filters, above a policy, unclaimed", "enforce", 2, NULL,
     SCRIPT(unclaimed), false, 3, 1, 1, EOWN_LOOP_UNCLAIMED, "none"},
    {"filters, early headers", "enforce", 0, NULL, SCRIPT(early), true, 2, 2, 2,
     EOWN_LOOP_ATTEMPTS, "none,1"},
    {"filters, after a message", "enforce", 0, NULL, SCRIPT(partial), true, 2,
     1, 1, EOWN_LOOP_COMMITTED, "none"},
    {"filters, boundary", "enforce", 0, boundary, SCRIPT(unclaimed), false, 2,
     2, 2, EOWN_LOOP_ATTEMPTS, "none,none"},
    {"no filters", NULL, 0, NULL, SCRIPT(fails), false, 2, 2, 2,
     EOWN_LOOP_ATTEMPTS, "none,1"},
    {"no filters, unclaimed", NULL, 0, NULL, SCRIPT(unclaimed), false, 2, 1, 1,
     EOWN_LOOP_UNCLAIMED, "none"},
    {"no filters, pushback", NULL, 0, NULL, SCRIPT(pushes), false, 3, 2, 2,
     EOWN_LOOP_PUSHBACK, "none,1"},
    {"filters, off: as without", "off", 0, NULL, SCRIPT(unclaimed), false, 2, 1,
     1, EOWN_LOOP_UNCLAIMED, "none"},
};

static test_text marks_of(test_server *server, unsigned served) {
  test_text marks = {""};
  for (unsigned i = 0; i < served; i++) {
    strcat(marks.text, i > 0 ? "," : "");
    strcat(marks.text, test_server_saw(server, i, MARK).text);
  }
  return marks;
}

static void start_loop(eown_retry_loop *loop, int32_t attempts) {
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = attempts;
  options.method = TEST_METHOD;
  CHECK_EQ(EOWN_ERROR_OK, eown_retry_init(loop, NULL, &options));
}

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_pair pair;
  test_reply reply;
  eown_retry_loop loop;
  test_pair_start(
      &pair,
      &(test_server_options){.script = self->script, .answers = self->answers},
      &(test_channel_options){.mode = self->mode,
                              .arguments = self->arguments,
                              .attempts = self->policy});
  start_loop(&loop, self->attempts);
  CHECK_EQ(self->calls,
           test_call_loop(
               pair.channel,
               &(test_request){.loop = &loop, .streaming = self->streaming},
               &reply));
  CHECK_EQ(self->served, test_server_attempts(pair.server));
  CHECK_STREQ(eown_loop_name(self->reason),
              eown_loop_name(reply.answer.reason));
  CHECK_STREQ(self->marks, marks_of(pair.server, self->served).text);
  eown_retry_clear(&loop);
  test_pair_stop(&pair);
  test_reply_clear(&reply);
}

EOWN_TEST(Loop, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

/* Each failed call has one reason of the loop, beside gRPC's own. */
EOWN_TEST(Loop, CountsByMethod) {
  check(&rows[0]);
  CHECK_STREQ("outbound_errors 3 received_missing 3 refused_no_policy 3 "
              "loop_allowed 2 loop_retries 2 loop_refused_attempts 1",
              test_counts_of(TEST_METHOD).text);
  check(&rows[12]);
  CHECK_STREQ("outbound_errors 2 received_missing 2 loop_allowed 1 "
              "loop_retries 1 loop_refused_attempts 1",
              test_counts_of(TEST_METHOD).text);
}

EOWN_TEST(Loop, WaitsAsThePushbackSays) {
  test_pair pair;
  test_reply reply;
  eown_retry_loop loop;
  test_pair_start(&pair, &(test_server_options){.script = pushes, .answers = 2},
                  &(test_channel_options){.mode = "enforce"});
  start_loop(&loop, 3);
  test_pair_call(&pair, &(test_request){.loop = &loop}, &reply);
  CHECK_TRUE(reply.answer.again);
  CHECK_EQ(5u, reply.answer.wait_ms);
  eown_retry_clear(&loop);
  test_pair_stop(&pair);
  test_reply_clear(&reply);
}

/* The channel's budget: 20 loops, two retries, though each retry is a call that
 * the channel sees as any other. */
EOWN_TEST(Loop, KeepsTheChannelsBudget) {
  test_pair pair;
  test_pair_start(
      &pair, &(test_server_options){.script = fails},
      &(test_channel_options){.mode = "enforce", .arguments = tenth});
  for (int i = 0; i < 20; i++) {
    test_reply reply;
    eown_retry_loop loop;
    start_loop(&loop, 2);
    test_call_loop(pair.channel, &(test_request){.loop = &loop}, &reply);
    eown_retry_clear(&loop);
    test_reply_clear(&reply);
  }
  CHECK_EQ(22u, test_server_attempts(pair.server));
  CHECK_EQ(18u, eown_counter_read(EOWN_COUNTER_loop_stopped_budget));
  test_pair_stop(&pair);
}

EOWN_TEST(Loop, ACancelledCallIsNeverRepeated) {
  test_pair pair;
  test_reply reply;
  eown_retry_loop loop;
  test_pair_start(&pair, &(test_server_options){.script = fails},
                  &(test_channel_options){.mode = "enforce"});
  start_loop(&loop, 3);
  CHECK_EQ(1u, test_call_loop(pair.channel,
                              &(test_request){.loop = &loop, .cancelled = true},
                              &reply));
  CHECK_EQ(EOWN_LOOP_CANCELLED, reply.answer.reason);
  eown_retry_clear(&loop);
  test_pair_stop(&pair);
  test_reply_clear(&reply);
}
