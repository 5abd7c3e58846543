/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The option `eown.own_unreachable` (rule 3). */
#include "context_support.h"

static void record_unreached(eown_context *context, const char *method) {
  eown_outcome outcome =
      test_outcome(method, eown_context_now(context), EOWN_STATUS_UNAVAILABLE);
  outcome.attempts = 0;
  outcome.reached = false;
  outcome.policy = EOWN_POLICY_COVERS;
  eown_context_record(context, &outcome);
}

static eown_context_view owning_view(void) {
  eown_context_view view = test_view();
  view.own_unreachable = true;
  return view;
}

EOWN_TEST(ContextUnreachable, OffByDefault) {
  eown_context *context = test_context();
  record_unreached(context, CART);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(ContextUnreachable, OwnsWhatNeverReachedACallee) {
  eown_context_view view = owning_view();
  eown_context *context = test_context();
  record_unreached(context, CART);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_UNAVAILABLE, &view,
                     EOWN_REASON_UNREACHABLE, &detail);
  CHECK_STREQ("front.Shop", detail.owner_service);
  CHECK_EQ(0, detail.hops);
  record_unreached(context, STOCK);
  DECIDES_VIEW(context, EOWN_STATUS_UNAVAILABLE, &view,
               EOWN_REASON_UNREACHABLE);
  eown_context_unref(context);
}

EOWN_TEST(ContextUnreachable, OneThatWasReachedSpeaks) {
  eown_context_view view = owning_view();
  eown_context *context = test_context();
  record_unreached(context, CART);
  test_call(context, STOCK, EOWN_STATUS_INTERNAL);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

/* The edge was reached once, and failed: that a second call on it found no
 * connection does not change it. */
EOWN_TEST(ContextUnreachable, ReachedOnceIsReached) {
  for (int reached_first = 0; reached_first < 2; reached_first++) {
    TEST_TRACE("reached first %d", reached_first);
    eown_context_view view = owning_view();
    eown_context *context = test_context();
    if (reached_first)
      test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
    record_unreached(context, CART);
    if (!reached_first)
      test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
    DECIDES_VIEW(context, EOWN_STATUS_UNAVAILABLE, &view,
                 EOWN_REASON_PROPAGATED);
    eown_context_unref(context);
  }
}

EOWN_TEST(ContextUnreachable, ReachedSiblingIsReached) {
  for (int reached_first = 0; reached_first < 2; reached_first++) {
    TEST_TRACE("reached first %d", reached_first);
    eown_context_view view = owning_view();
    eown_context *context = test_context();
    eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_UNAVAILABLE);
    outcome.reached = reached_first;
    eown_context_record(context, &outcome);
    outcome.reached = !reached_first;
    eown_context_record(context, &outcome);
    DECIDES_VIEW(context, EOWN_STATUS_UNAVAILABLE, &view,
                 EOWN_REASON_AT_LEAST_ONCE);
    eown_context_unref(context);
  }
}

EOWN_TEST(ContextUnreachable, FailOpenOnesDoNotCount) {
  eown_context_view view = owning_view();
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(ADS, 0, EOWN_STATUS_INTERNAL);
  outcome.edge = EOWN_EDGE_FAIL_OPEN;
  eown_context_record(context, &outcome);
  record_unreached(context, CART);
  DECIDES_VIEW(context, EOWN_STATUS_UNAVAILABLE, &view,
               EOWN_REASON_UNREACHABLE);
  eown_context_unref(context);

  context = test_context();
  outcome.reached = false;
  eown_context_record(context, &outcome);
  DECIDES_VIEW(context, EOWN_STATUS_UNAVAILABLE, &view,
               EOWN_REASON_COINCIDENTAL);
  eown_context_unref(context);
}

/* A cancellation is no failure: passed on as what it is, whether or not the
 * call had found its callee. */
EOWN_TEST(ContextUnreachable, CancellationsArePassedOn) {
  eown_context_view view = owning_view();
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_CANCELLED);
  outcome.attempts = 0;
  outcome.reached = false;
  eown_context_record(context, &outcome);
  DECIDES_VIEW(context, EOWN_STATUS_CANCELLED, &view, EOWN_REASON_PROPAGATED);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN);
  eown_context_unref(context);
}
