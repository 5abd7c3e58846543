/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Who owns the error, and how far away it is. */
#include "context_support.h"

#include <string.h>

static const eown_claim_detail callee_detail = {"stock.Database", "Select", 2,
                                                4, EOWN_REASON_OWN};

/* A failed outbound whose callee passes on an error, or was retried. */
static eown_outcome propagating(const char *method,
                                const eown_claim_detail *detail) {
  eown_outcome outcome = test_outcome(method, 0, EOWN_STATUS_UNAVAILABLE);
  outcome.attempts = 3;
  outcome.claim = EOWN_CLAIM_UNCLAIMED;
  outcome.detail = detail;
  return outcome;
}

static void check_detail(const eown_claim_detail *detail, const char *service,
                         const char *method, uint32_t hops, uint32_t attempts) {
  CHECK_STREQ(service, detail->owner_service);
  CHECK_STREQ(method, detail->owner_method);
  CHECK_EQ(hops, detail->hops);
  CHECK_EQ(attempts, detail->attempts);
}

EOWN_TEST(ContextDetail, OwnErrorNamesTheMethodsService) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN,
                     &detail);
  check_detail(&detail, "front.Shop", "Buy", 0, 0);
  view.service_name = "";
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN,
                     &detail);
  check_detail(&detail, "front.Shop", "Buy", 0, 0);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, OwnErrorNamesTheServiceThatIsSet) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  view.service_name = "front-eu";
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN,
                     &detail);
  check_detail(&detail, "front-eu", "Buy", 0, 0);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, AtLeastOnceIsOursWithTheAttemptMade) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_UNAVAILABLE);
  outcome.claim = EOWN_CLAIM_CLAIMED;
  outcome.detail = &callee_detail;
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_AT_LEAST_ONCE, &detail);
  check_detail(&detail, "front.Shop", "Buy", 0, 1);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, PropagatedNamesTheCalleesOwner) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  view.service_name = "front-eu";
  eown_outcome outcome = propagating(CART, &callee_detail);
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "stock.Database", "Select", 3, 3);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, PropagatedWithoutMessageNamesTheOutbound) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_outcome outcome = propagating(CART, NULL);
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "shop.Cart", "Get", 1, 3);
  eown_context_unref(context);
}

/* A callee that claims, retried: it is the owner, one hop away. */
EOWN_TEST(ContextDetail, RetriedClaimIsTheCallees) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_claim_detail own = {"shop.Cart", "Get", 0, 0, EOWN_REASON_OWN};
  eown_outcome outcome = propagating(CART, &own);
  outcome.claim = EOWN_CLAIM_CLAIMED;
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "shop.Cart", "Get", 1, 3);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, HopsDoNotWrap) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_claim_detail far = callee_detail;
  far.hops = UINT32_MAX;
  eown_outcome outcome = propagating(CART, &far);
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "stock.Database", "Select", UINT32_MAX, 3);
  eown_context_unref(context);
}

/* The one with the highest reason speaks, wherever it stands. */
EOWN_TEST(ContextDetail, StrongestOutboundSpeaks) {
  static const char *const methods[] = {CART, STOCK, ADS};
  for (int at = 0; at < 3; at++) {
    TEST_TRACE("propagated at %d", at);
    eown_context *context = test_context();
    eown_context_view view = test_view();
    for (int i = 0; i < 3; i++) {
      eown_outcome outcome =
          test_outcome(methods[i], 0, EOWN_STATUS_UNAVAILABLE);
      if (i == at)
        outcome = propagating(methods[i], &callee_detail);
      eown_context_record(context, &outcome);
    }
    eown_claim_detail detail;
    test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                       EOWN_REASON_PROPAGATED, &detail);
    check_detail(&detail, "stock.Database", "Select", 3, 3);
    eown_context_unref(context);
  }
}

/* A second failure without a message must not keep the first one's owner and
 * the other way round: what is said fits the last word of the callee. */
EOWN_TEST(ContextDetail, LaterFailureBringsItsOwnMessage) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_outcome outcome = propagating(CART, &callee_detail);
  outcome.started = eown_context_now(context);
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  CHECK_STREQ("stock.Database", detail.owner_service);
  CHECK_EQ(3, detail.hops);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, AnswerPassedOnNamesTheAnsweringOne) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  test_call(context, CART, EOWN_STATUS_NOT_FOUND);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_NOT_FOUND, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "shop.Cart", "Get", 1, 1);
  eown_context_unref(context);

  context = test_context();
  eown_outcome outcome = propagating(CART, &callee_detail);
  outcome.status = EOWN_STATUS_NOT_FOUND;
  outcome.attempts = 1;
  eown_context_record(context, &outcome);
  test_decide_detail(context, EOWN_STATUS_NOT_FOUND, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "stock.Database", "Select", 3, 1);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, CoincidentalIsOurs) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_outcome outcome = propagating(ADS, &callee_detail);
  outcome.edge = EOWN_EDGE_FAIL_OPEN;
  eown_context_record(context, &outcome);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_COINCIDENTAL, &detail);
  CHECK_STREQ("front.Shop", detail.owner_service);
  CHECK_EQ(0, detail.hops);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, ApplicationsClaimIsOurs) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_outcome outcome = propagating(CART, &callee_detail);
  eown_context_record(context, &outcome);
  eown_context_set_claim(context, EOWN_CLAIM_CLAIMED);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_APPLICATION, &detail);
  CHECK_STREQ("front.Shop", detail.owner_service);
  CHECK_STREQ("Buy", detail.owner_method);
  CHECK_EQ(0, detail.hops);
  eown_context_unref(context);
}

/* The detail and the names are the context's own: the caller's may go. */
EOWN_TEST(ContextDetail, CopiesWhatItIsGiven) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  eown_claim_detail given = callee_detail;
  char method[] = CART;
  eown_outcome outcome = propagating(method, &given);
  eown_context_record(context, &outcome);
  memset(&given, 'x', sizeof given);
  memset(method, 'x', sizeof method);
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  check_detail(&detail, "stock.Database", "Select", 3, 3);
  eown_context_unref(context);
}

EOWN_TEST(ContextDetail, EveryDetailEncodes) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  char path[3 * EOWN_METHOD_MAX];
  memset(path, 'p', sizeof path);
  path[0] = '/';
  path[sizeof path - 1] = '\0';
  eown_context_set_method(context, path, sizeof path - 1);
  CHECK_EQ(EOWN_METHOD_MAX, strlen(eown_context_method(context)));
  eown_claim_detail detail;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN,
                     &detail);
  uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
  CHECK_LT(0, eown_claim_detail_encode(&detail, buffer, sizeof buffer));
  eown_context_unref(context);
}
