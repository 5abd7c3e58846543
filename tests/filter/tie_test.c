/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* How an outbound call finds its inbound, with a stock client that retries. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "hops.h"

static const test_answer fails = {.status = GRPC_STATUS_UNAVAILABLE};

static test_hops set_up(test_tie tie) {
  return (test_hops){.back = {.mode = "enforce", .script = &fails},
                     .outbound = {.mode = "enforce", .attempts = 2},
                     .front = {.mode = "enforce"},
                     .client = {.attempts = 4},
                     .steps = {{.tie = tie}}};
}

#define TIED                                                                   \
  "outbound_calls 1 outbound_attempts 2 outbound_retries 1 outbound_errors 1 " \
  "received_claimed 2 retry_allowed 1 refused_attempts 1 inbound_calls 3 "     \
  "inbound_retries 1 inbound_errors 3 sent_own 2 sent_propagated 1"

static void check_tied(const test_hops *hops) {
  test_hops_result result;
  eown_claim_detail detail;
  test_hops_run(hops, &result);
  CHECK_EQ(1u, result.front_attempts);
  CHECK_EQ(2u, result.back_attempts);
  const grpc_metadata_array *trailers = &result.reply.trailers;
  CHECK_STREQ("unclaimed", test_metadata_text(trailers, "error-claim").text);
  CHECK_STREQ("-1", test_metadata_text(trailers, TEST_PUSHBACK_KEY).text);
  if (CHECK_TRUE(test_metadata_detail(trailers, &detail))) {
    CHECK_STREQ("test.Back", detail.owner_service);
    CHECK_STREQ("Get", detail.owner_method);
    CHECK_EQ(1u, detail.hops);
    CHECK_EQ(2u, detail.attempts);
    CHECK_EQ(EOWN_REASON_PROPAGATED, detail.reason);
  }
  CHECK_COUNTS(TIED);
  test_reply_clear(&result.reply);
}

EOWN_TEST(Tie, ByParentCall) {
  test_hops hops = set_up(TEST_TIE_PARENT);
  check_tied(&hops);
}

EOWN_TEST(Tie, ByThreadScope) {
  test_hops hops = set_up(TEST_TIE_SCOPE);
  check_tied(&hops);
}

EOWN_TEST(Tie, ByAttach) {
  test_hops hops = set_up(TEST_TIE_ATTACH);
  check_tied(&hops);
}

/* The front's error is taken for its own: the storm goes on. */
static void check_untied(const test_hops *hops, const char *counts) {
  test_hops_result result;
  test_hops_run(hops, &result);
  CHECK_EQ(4u, result.front_attempts);
  CHECK_EQ(8u, result.back_attempts);
  const grpc_metadata_array *trailers = &result.reply.trailers;
  CHECK_STREQ("claimed", test_metadata_text(trailers, "error-claim").text);
  CHECK_STREQ("none", test_metadata_text(trailers, TEST_PUSHBACK_KEY).text);
  CHECK_COUNTS(counts);
  test_reply_clear(&result.reply);
}

#define UNTIED(drops)                                                          \
  "outbound_calls 4 outbound_attempts 8 outbound_retries 4 outbound_errors 4 " \
  "received_claimed 8 retry_allowed 4 refused_attempts 4 " drops               \
  "inbound_calls 12 inbound_retries 7 inbound_errors 12 sent_own 12"

EOWN_TEST(Tie, NoneIsAContextDrop) {
  test_hops hops = set_up(TEST_TIE_NONE);
  check_untied(&hops, UNTIED("context_drops 4 "));
  CHECK_CONTAINS("context_drops 4", test_counts_of(TEST_METHOD).text);
}

EOWN_TEST(Tie, UntiedOnPurposeIsNoDrop) {
  test_hops hops = set_up(TEST_TIE_UNTIED);
  check_untied(&hops, UNTIED(""));
}

/* OpenCensus puts its own value into the slot that gRPC hands on to children:
 * then the parent says nothing to us, and the other ways still do. */
EOWN_TEST(Tie, TracingSlotTakenByTheApplication) {
  int tracing = 0;
  test_hops hops = set_up(TEST_TIE_ATTACH);
  hops.tracing = &tracing;
  check_tied(&hops);
  hops = set_up(TEST_TIE_SCOPE);
  hops.tracing = &tracing;
  check_tied(&hops);
  hops = set_up(TEST_TIE_PARENT);
  hops.tracing = &tracing;
  check_untied(&hops, UNTIED("context_drops 4 "));
}

/* A front without eown has no context to lose, but the process has others. */
EOWN_TEST(Tie, FrontWithoutEown) {
  test_hops hops = set_up(TEST_TIE_ATTACH);
  test_hops_result result;
  hops.front.mode = NULL;
  test_hops_run(&hops, &result);
  CHECK_EQ(4u, result.front_attempts);
  CHECK_EQ(8u, result.back_attempts);
  CHECK_STREQ("none",
              test_metadata_text(&result.reply.trailers, "error-claim").text);
  CHECK_EQ(4u, eown_counter_read(EOWN_COUNTER_context_drops));
  test_reply_clear(&result.reply);
}

/* --- calls that cannot be tied ---------------------------------------------
 */

static grpc_call *make_call(grpc_channel *channel,
                            grpc_completion_queue *queue) {
  return grpc_channel_create_call(channel, NULL, GRPC_PROPAGATE_DEFAULTS, queue,
                                  grpc_slice_from_static_string(TEST_METHOD),
                                  NULL, gpr_inf_future(GPR_CLOCK_REALTIME),
                                  NULL);
}

static eown_error attach_over(const char *mode) {
  grpc_completion_queue *queue = grpc_completion_queue_create_for_pluck(NULL);
  grpc_channel *channel =
      test_channel_make("127.0.0.1:1", &(test_channel_options){.mode = mode});
  grpc_call *call = make_call(channel, queue);
  eown_context *context = eown_context_acquire();
  eown_error error = eown_context_attach(context, call);
  CHECK_NULL(eown_context_from_call(call));
  eown_context_unref(context);
  grpc_call_unref(call);
  grpc_channel_destroy(channel);
  grpc_completion_queue_shutdown(queue);
  grpc_completion_queue_destroy(queue);
  return error;
}

EOWN_TEST(Tie, AttachNeedsTheFilter) {
  CHECK_EQ(EOWN_ERROR_OK, attach_over("enforce"));
  CHECK_EQ(EOWN_ERROR_OK, attach_over("observe"));
  CHECK_EQ(EOWN_ERROR_NOT_TIED, attach_over("off"));
  CHECK_EQ(EOWN_ERROR_NOT_TIED, attach_over(NULL));
  CHECK_NULL(eown_context_from_call(NULL));
}

static void look(test_inbound *inbound, void *user) {
  eown_context *context = eown_context_from_call(inbound->call);
  *(bool *)user = context != NULL;
  CHECK_EQ(EOWN_ERROR_NOT_TIED, eown_context_attach(context, inbound->call));
  if (context != NULL)
    CHECK_STREQ(TEST_METHOD, eown_context_method(context));
  test_inbound_answer(inbound, &fails);
}

static bool has_context(const char *mode) {
  test_reply reply;
  bool found = false;
  test_server_options server = {.mode = mode, .handler = look, .user = &found};
  test_pair_run(&server, &(test_channel_options){0}, &reply);
  test_reply_clear(&reply);
  return found;
}

EOWN_TEST(Tie, ContextOfAnInbound) {
  CHECK_TRUE(has_context("enforce"));
  CHECK_TRUE(has_context("observe"));
  CHECK_FALSE(has_context("off"));
  CHECK_FALSE(has_context(NULL));
}
