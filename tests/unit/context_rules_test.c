/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Rules 2 and 3 through the context: one failed outbound in every combination,
 * then several. */
#include "context_support.h"
#include "rules_oracle.h"

#include <string.h>

static eown_callee callee_of(eown_status status, eown_claim claim) {
  if (status == EOWN_STATUS_OK)
    return EOWN_CALLEE_OK;
  if (claim == EOWN_CLAIM_UNCLAIMED)
    return EOWN_CALLEE_UNCLAIMED;
  return claim == EOWN_CLAIM_CLAIMED ? EOWN_CALLEE_CLAIMED
                                     : EOWN_CALLEE_MISSING;
}

static void check_one(const eown_outcome *outcome, eown_status inbound) {
  TEST_TRACE("outbound %s, claim %s, attempts %u, policy %d, retried %d, edge "
             "%d; inbound %s",
             eown_status_name(outcome->status), eown_claim_name(outcome->claim),
             outcome->attempts, (int)outcome->policy, outcome->retried,
             (int)outcome->edge, eown_status_name(inbound));
  bool criteria = oracle_criteria(outcome->claim, outcome->attempts >= 2,
                                  outcome->policy, outcome->retried);
  eown_decision expected =
      oracle_matrix(callee_of(outcome->status, outcome->claim),
                    inbound != EOWN_STATUS_OK, outcome->edge, criteria);
  eown_context *context = test_context();
  eown_context_record(context, outcome);
  test_decide(context, inbound, expected.reason);
  eown_context_unref(context);
}

/* Statuses apart that the outbound and the inbound do not share: passing on an
 * answer is another test's. */
EOWN_TEST(ContextRules, OneOutboundInEveryCombination) {
  static const eown_status outbounds[] = {EOWN_STATUS_OK,
                                          EOWN_STATUS_UNAVAILABLE};
  static const eown_status inbounds[] = {
      EOWN_STATUS_OK, EOWN_STATUS_UNAVAILABLE, EOWN_STATUS_INVALID_ARGUMENT};
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 3; i++)
      for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
        for (uint32_t attempts = 0; attempts < 4; attempts++)
          for (int policy = 0; policy < EOWN_POLICY_N; policy++)
            for (int retried = 0; retried < 2; retried++)
              for (int edge = 0; edge < EOWN_EDGE_KIND_N; edge++) {
                eown_outcome outcome = test_outcome(CART, 0, outbounds[s]);
                outcome.claim = (eown_claim)claim;
                outcome.attempts = attempts;
                outcome.policy = (eown_policy)policy;
                outcome.retried = retried;
                outcome.edge = (eown_edge_kind)edge;
                check_one(&outcome, inbounds[i]);
              }
}

EOWN_TEST(ContextRules, NoOutboundIsOwn) {
  eown_context *context = test_context();
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, OkSaysNothing) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_context_view view = test_view();
  eown_claim_detail detail;
  eown_decision decision =
      eown_context_decide(context, EOWN_STATUS_OK, &view, &detail);
  CHECK_FALSE(decision.retry);
  CHECK_EQ(EOWN_CLAIM_MISSING, decision.claim);
  CHECK_EQ(EOWN_REASON_NONE, decision.reason);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, EveryFaultCountsAndNoAnswerDoes) {
  for (int i = 1; i < EOWN_STATUS_N; i++) {
    eown_status status = (eown_status)i;
    eown_status inbound = status == EOWN_STATUS_INTERNAL ? EOWN_STATUS_UNKNOWN
                                                         : EOWN_STATUS_INTERNAL;
    bool fault = eown_status_set_has(eown_status_faults(), status);
    TEST_TRACE("outbound %s", eown_status_name(status));
    eown_context *context = test_context();
    test_call(context, CART, status);
    test_decide(context, inbound,
                fault ? EOWN_REASON_AT_LEAST_ONCE : EOWN_REASON_OWN);
    eown_context_unref(context);
  }
}

/* The set of faults is an option of the deciding side. */
EOWN_TEST(ContextRules, FaultsAreAnOption) {
  eown_context_view view = test_view();
  view.faults = 1u << EOWN_STATUS_NOT_FOUND;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_NOT_FOUND);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);

  context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN);
  eown_context_unref(context);
}

/* An answer and a cancellation are passed on where the inbound ends the same
 * way, whatever the criteria. */
EOWN_TEST(ContextRules, AnswersArePassedOnByTheSameStatusOnly) {
  for (int out = 1; out < EOWN_STATUS_N; out++) {
    if (eown_status_set_has(eown_status_faults(), (eown_status)out))
      continue;
    for (int in = 1; in < EOWN_STATUS_N; in++) {
      TEST_TRACE("outbound %s, inbound %s", eown_status_name((eown_status)out),
                 eown_status_name((eown_status)in));
      eown_context *context = test_context();
      test_call(context, CART, (eown_status)out);
      test_decide(context, (eown_status)in,
                  in == out ? EOWN_REASON_PROPAGATED : EOWN_REASON_OWN);
      eown_context_unref(context);
    }
  }
}

EOWN_TEST(ContextRules, AnyFailCloseWithCriteriaUnclaims) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_outcome outcome = test_outcome(STOCK, 0, EOWN_STATUS_INTERNAL);
  outcome.attempts = 2;
  eown_context_record(context, &outcome);
  test_call(context, ADS, EOWN_STATUS_UNKNOWN);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, CriteriaOfFailOpenOnesDoNotCount) {
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(ADS, 0, EOWN_STATUS_INTERNAL);
  outcome.attempts = 3;
  outcome.claim = EOWN_CLAIM_UNCLAIMED;
  outcome.edge = EOWN_EDGE_FAIL_OPEN;
  eown_context_record(context, &outcome);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, OnlyFailOpenOnesAreCoincidental) {
  eown_context *context = test_context();
  static const char *const methods[] = {CART, STOCK, ADS};
  for (int i = 0; i < 3; i++) {
    eown_outcome outcome = test_outcome(methods[i], 0, EOWN_STATUS_INTERNAL);
    outcome.attempts = 2;
    outcome.edge = EOWN_EDGE_FAIL_OPEN;
    eown_context_record(context, &outcome);
  }
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_COINCIDENTAL);
  eown_context_unref(context);
}

/* Rule 2 d: what failed up to now, and nothing later. */
EOWN_TEST(ContextRules, SetRetriedCoversWhatFailedSoFar) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_context_set_retried(context);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);

  context = test_context();
  eown_context_set_retried(context);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);

  context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_context_set_retried(context);
  test_call(context, CART, EOWN_STATUS_OK);
  test_call(context, STOCK, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, SetRetriedDoesNotOpenFailOpenOnes) {
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(ADS, 0, EOWN_STATUS_UNAVAILABLE);
  outcome.edge = EOWN_EDGE_FAIL_OPEN;
  eown_context_record(context, &outcome);
  eown_context_set_retried(context);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_COINCIDENTAL);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, ApplicationsClaimWins) {
  for (int claim = EOWN_CLAIM_CLAIMED; claim <= EOWN_CLAIM_UNCLAIMED; claim++)
    for (int failed = 0; failed < 2; failed++) {
      eown_context *context = test_context();
      eown_context_view view = test_view();
      if (failed)
        test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
      eown_context_set_claim(context, (eown_claim)claim);
      eown_claim_detail detail;
      eown_decision decision =
          eown_context_decide(context, EOWN_STATUS_INTERNAL, &view, &detail);
      CHECK_EQ(claim, (int)decision.claim);
      CHECK_EQ(EOWN_REASON_APPLICATION, decision.reason);
      CHECK_EQ(EOWN_REASON_APPLICATION, detail.reason);
      DECIDES(context, EOWN_STATUS_OK, EOWN_REASON_NONE);
      eown_context_unref(context);
    }
}

EOWN_TEST(ContextRules, ApplicationTakesItsClaimBack) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_context_set_claim(context, EOWN_CLAIM_UNCLAIMED);
  eown_context_set_claim(context, EOWN_CLAIM_MISSING);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextRules, NullContextIsAllowed) {
  eown_context_set_claim(NULL, EOWN_CLAIM_CLAIMED);
  eown_context_set_retried(NULL);
  CHECK_NULL(eown_context_ref(NULL));
  eown_context_unref(NULL);
}
