/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What a loop tells its inbound: rules 2 and 3. */
#include "context_support.h"
#include "eown/counters.h"
#include "retry_support.h"

#include <string.h>

#define DOWN .status = EOWN_STATUS_UNAVAILABLE

static void start(eown_retry_loop *loop, eown_context *context,
                  int32_t attempts) {
  eown_retry_options options = test_retry_options(attempts);
  options.method = STOCK;
  eown_counters_reset();
  CHECK_EQ(EOWN_ERROR_OK, eown_retry_init(loop, context, &options));
}

/* A loop of `attempts` whose calls all end so; what the inbound says then. */
static void check_says(int32_t attempts, eown_retry_end end,
                       eown_reason reason) {
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, attempts);
  while (test_retry_call(&loop, end).again)
    ;
  eown_retry_clear(&loop);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, reason);
  eown_context_unref(context);
}

EOWN_TEST(RetryContext, ALoopThatCalledAgainHasRetried) {
  check_says(2, test_retry_end(EOWN_CLAIM_CLAIMED), EOWN_REASON_PROPAGATED);
  check_says(2, test_retry_end(EOWN_CLAIM_MISSING), EOWN_REASON_PROPAGATED);
}

/* Rule 2 c: it covers the status, and something held the retry back. */
EOWN_TEST(RetryContext, WhatWasHeldBackCountsAsRetried) {
  check_says(2, (eown_retry_end){DOWN, .committed = true},
             EOWN_REASON_PROPAGATED);
  check_says(2, (eown_retry_end){DOWN, .has_deadline = true, .left_ms = 1},
             EOWN_REASON_PROPAGATED);
  check_says(2, (eown_retry_end){DOWN, .pushback = EOWN_PUSHBACK_STOP},
             EOWN_REASON_PROPAGATED);
  check_says(2, test_retry_end(EOWN_CLAIM_UNCLAIMED), EOWN_REASON_PROPAGATED);
}

EOWN_TEST(RetryContext, WhatTheLoopDoesNotRetryIsLeftToTheCaller) {
  check_says(1, test_retry_end(EOWN_CLAIM_CLAIMED), EOWN_REASON_AT_LEAST_ONCE);
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, 3);
  test_retry_call(&loop, (eown_retry_end){.status = EOWN_STATUS_INTERNAL});
  eown_retry_clear(&loop);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(RetryContext, AnEmptyBudgetSatisfies) {
  eown_context *context = test_context();
  eown_retry_options options = test_retry_options(2);
  eown_retry_loop loop;
  options.method = STOCK;
  options.budget = eown_budget_acquire("empty", 0, 0, NULL);
  eown_retry_init(&loop, context, &options);
  ANSWERS(test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED)), false,
          EOWN_LOOP_BUDGET);
  eown_retry_clear(&loop);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_PROPAGATED);
  eown_budget_release(options.budget);
  eown_context_unref(context);
}

EOWN_TEST(RetryContext, ASuccessOfTheLoopClearsItsFailures) {
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, 3);
  test_retry_call(&loop, test_retry_end(EOWN_CLAIM_CLAIMED));
  test_retry_call(&loop, (eown_retry_end){.status = EOWN_STATUS_OK});
  eown_retry_clear(&loop);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_OWN);
  eown_context_unref(context);
}

/* The attempts of all calls, gRPC's among them, are in the detail. */
EOWN_TEST(RetryContext, TheDetailCountsAllAttempts) {
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, 4);
  eown_retry_end end = {DOWN, .attempts = 2};
  ANSWERS(test_retry_call(&loop, end), true, EOWN_LOOP_RETRY);
  end.attempts = 2;
  ANSWERS(test_retry_call(&loop, end), false, EOWN_LOOP_MULTIPLIED);
  eown_retry_clear(&loop);
  eown_claim_detail detail;
  eown_context_view view = test_view();
  test_decide_detail(context, EOWN_STATUS_UNAVAILABLE, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  CHECK_EQ(4u, detail.attempts);
  CHECK_STREQ("shop.Stock", detail.owner_service);
  eown_context_unref(context);
}

/* The callee's detail is passed on where the loop read it; twice is none. */
static void check_owner(unsigned details, const char *owner) {
  static const uint8_t bytes[] = "\n\x09shop.Deep\x12\x03Get\x18\x02";
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, 2);
  eown_retry_end end = test_retry_end(EOWN_CLAIM_UNCLAIMED);
  for (unsigned i = 0; i < details; i++)
    eown_retry_end_feed(&end, NULL, EOWN_CLAIM_DETAIL_KEY,
                        strlen(EOWN_CLAIM_DETAIL_KEY), (const char *)bytes,
                        sizeof(bytes) - 1);
  test_retry_call(&loop, end);
  eown_retry_clear(&loop);
  eown_claim_detail detail;
  eown_context_view view = test_view();
  test_decide_detail(context, EOWN_STATUS_UNAVAILABLE, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  CHECK_STREQ(owner, detail.owner_service);
  CHECK_EQ(details > 1, eown_counter_read(EOWN_COUNTER_malformed_detail));
  eown_context_unref(context);
}

EOWN_TEST(RetryContext, PassesTheCalleesDetailOn) {
  check_owner(0, "shop.Stock");
  check_owner(1, "shop.Deep");
  check_owner(2, "shop.Stock");
}

/* What filters or an interceptor saw is recorded there, not here. */
EOWN_TEST(RetryContext, ASeenCallIsNotRecordedTwice) {
  eown_context *context = test_context();
  eown_retry_loop loop;
  start(&loop, context, 2);
  eown_retry_end end = {DOWN, .seen = true, .mode = EOWN_MODE_ENFORCE};
  test_retry_call(&loop, end);
  eown_retry_clear(&loop);
  CHECK_EQ(0u, eown_context_now(context));
  CHECK_EQ(0u, eown_counter_read(EOWN_COUNTER_outbound_calls));
  eown_context_unref(context);
}

/* Chain stop: the inbound is a retry itself. */
EOWN_TEST(RetryContext, ChainStopMakesOneCallForMarkedInbounds) {
  for (int marked = 0; marked < 2; marked++) {
    eown_context *context = test_context();
    eown_retry_options options = test_retry_options(2);
    eown_retry_loop loop;
    options.method = STOCK;
    options.chain_stop = true;
    if (marked)
      eown_context_mark_retry(context);
    eown_retry_init(&loop, context, &options);
    CHECK_EQ(marked, eown_retry_begin(&loop, 1000)); /* handed on */
    eown_retry_end end = test_retry_end(EOWN_CLAIM_CLAIMED);
    ANSWERS(eown_retry_again(&loop, &end, 1000, 0), !marked,
            marked ? EOWN_LOOP_CHAIN : EOWN_LOOP_RETRY);
    eown_retry_clear(&loop);
    eown_context_unref(context);
  }
}

/* Two loops side by side on one edge: neither is the other's retry, but each
 * has its own. */
EOWN_TEST(RetryContext, LoopsSideBySide) {
  eown_context *context = test_context();
  eown_retry_loop loops[2];
  eown_retry_end end = test_retry_end(EOWN_CLAIM_CLAIMED);
  for (int i = 0; i < 2; i++)
    start(&loops[i], context, 2);
  for (int i = 0; i < 2; i++)
    eown_retry_begin(&loops[i], 1000);
  for (int i = 0; i < 2; i++)
    ANSWERS(eown_retry_again(&loops[i], &end, 1000, 0), true, EOWN_LOOP_RETRY);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_AT_LEAST_ONCE);
  for (int i = 0; i < 2; i++) {
    ANSWERS(test_retry_call(&loops[i], end), false, EOWN_LOOP_ATTEMPTS);
    eown_retry_clear(&loops[i]);
  }
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(RetryContext, TakesTheThreadsContext) {
  eown_context *context = test_context();
  eown_context_scope scope;
  eown_retry_loop loop;
  eown_context_enter(&scope, context);
  start(&loop, NULL, 2);
  eown_context_leave(&scope);
  CHECK_TRUE(loop.context == context);
  eown_retry_clear(&loop);
  eown_context_unref(context);
}
