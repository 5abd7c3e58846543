/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Which failures of an inbound stand, and which calls are retries: the order of
 * events. A call is written as start … end, and starts may overlap. */
#include "context_support.h"

#include <string.h>

static void end(eown_context *context, const char *method, uint32_t started,
                eown_status status) {
  eown_outcome outcome = test_outcome(method, started, status);
  eown_context_record(context, &outcome);
}

static bool would_repeat(eown_context *context, const char *method) {
  return eown_context_would_repeat(context, method, strlen(method));
}

EOWN_TEST(ContextCorrelation, LaterSuccessClears) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, SuccessOfAnotherEdgeDoesNot) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, STOCK, EOWN_STATUS_OK);
  test_call(context, "/shop.Cart/Ge", EOWN_STATUS_OK);
  test_call(context, "/shop.Cart/Gett", EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, EarlierSuccessDoesNot) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_OK);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, SiblingsSuccessDoesNot) {
  eown_context *context = test_context();
  uint32_t first = eown_context_now(context);
  uint32_t second = eown_context_now(context);
  end(context, CART, first, EOWN_STATUS_UNAVAILABLE);
  end(context, CART, second, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, SiblingsFailureIsNoRetry) {
  eown_context *context = test_context();
  uint32_t first = eown_context_now(context);
  uint32_t second = eown_context_now(context);
  end(context, CART, first, EOWN_STATUS_UNAVAILABLE);
  end(context, CART, second, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

/* One sibling that had its retry speaks for the edge. */
EOWN_TEST(ContextCorrelation, SiblingsCriteriaAddUp) {
  for (uint32_t first = 1; first <= 2; first++) {
    TEST_TRACE("attempts of the first %u", first);
    eown_context *context = test_context();
    eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_UNAVAILABLE);
    outcome.attempts = first;
    eown_context_record(context, &outcome);
    outcome.attempts = 3 - first;
    eown_context_record(context, &outcome);
    DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
    eown_context_unref(context);
  }
}

EOWN_TEST(ContextCorrelation, CallingAgainIsARetry) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_INTERNAL);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, CallingAnotherIsNone) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, STOCK, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

/* A retry that succeeds clears; the sibling that failed meanwhile stands. */
EOWN_TEST(ContextCorrelation, SuccessClearsOnlyWhatFailedBeforeItStarted) {
  eown_context *context = test_context();
  uint32_t first = eown_context_now(context);
  uint32_t sibling = eown_context_now(context);
  end(context, CART, first, EOWN_STATUS_UNAVAILABLE);
  uint32_t again = eown_context_now(context);
  end(context, CART, sibling, EOWN_STATUS_UNAVAILABLE);
  end(context, CART, again, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, FailureAfterAClearStands) {
  eown_context *context = test_context();
  uint32_t sibling = eown_context_now(context);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_OK);
  end(context, CART, sibling, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

/* What was cleared is over: a later failure is a first one. */
EOWN_TEST(ContextCorrelation, NothingOfAClearedFailureIsLeft) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_OK);
  CHECK_FALSE(would_repeat(context, CART));
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, ManyRetriesThenSuccess) {
  eown_context *context = test_context();
  for (int i = 0; i < 1000; i++)
    test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  test_call(context, CART, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

/* An answer is no failure: a call after it is no retry. */
EOWN_TEST(ContextCorrelation, CallAfterAnAnswerIsNoRetry) {
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_NOT_FOUND);
  CHECK_FALSE(would_repeat(context, CART));
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

/* An answer of a sibling neither hides a failure nor is hidden by it. */
EOWN_TEST(ContextCorrelation, AnswerAndFailureOnOneEdge) {
  for (int answer_first = 0; answer_first < 2; answer_first++) {
    TEST_TRACE("answer first %d", answer_first);
    eown_context *context = test_context();
    if (answer_first)
      end(context, CART, 0, EOWN_STATUS_NOT_FOUND);
    end(context, CART, 0, EOWN_STATUS_UNAVAILABLE);
    if (!answer_first)
      end(context, CART, 0, EOWN_STATUS_NOT_FOUND);
    DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_AT_LEAST_ONCE);
    DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
    DECIDES(context, EOWN_STATUS_NOT_FOUND, EOWN_REASON_PROPAGATED);
    eown_context_unref(context);
  }
}

/* Different answers of one edge: each is passed on by its own status. */
EOWN_TEST(ContextCorrelation, TwoAnswersOfOneEdge) {
  eown_context *context = test_context();
  end(context, CART, 0, EOWN_STATUS_NOT_FOUND);
  end(context, CART, 0, EOWN_STATUS_PERMISSION_DENIED);
  DECIDES(context, EOWN_STATUS_NOT_FOUND, EOWN_REASON_PROPAGATED);
  DECIDES(context, EOWN_STATUS_PERMISSION_DENIED, EOWN_REASON_PROPAGATED);
  DECIDES(context, EOWN_STATUS_ALREADY_EXISTS, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, WouldRepeatSeesTheOwnEdge) {
  eown_context *context = test_context();
  CHECK_FALSE(would_repeat(context, CART));
  test_call(context, CART, EOWN_STATUS_OK);
  CHECK_FALSE(would_repeat(context, CART));
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  CHECK_TRUE(would_repeat(context, CART));
  CHECK_TRUE(would_repeat(context, CART)); /* asking changes nothing */
  CHECK_FALSE(would_repeat(context, STOCK));
  test_call(context, CART, EOWN_STATUS_OK);
  CHECK_FALSE(would_repeat(context, CART));
  eown_context_unref(context);
}

/* Methods longer than what is kept are told apart all the same. */
EOWN_TEST(ContextCorrelation, LongMethodsAreToldApart) {
  char one[3 * EOWN_METHOD_MAX], other[sizeof one];
  memset(one, 'm', sizeof one - 1);
  one[0] = '/';
  one[sizeof one - 1] = '\0';
  memcpy(other, one, sizeof one);
  other[sizeof other - 2] = 'n';
  eown_context *context = test_context();
  test_call(context, one, EOWN_STATUS_UNAVAILABLE);
  CHECK_FALSE(would_repeat(context, other));
  CHECK_TRUE(would_repeat(context, one));
  test_call(context, other, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  test_call(context, one, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(ContextCorrelation, ContextsAreApart) {
  eown_context *one = test_context(), *other = test_context();
  test_call(one, CART, EOWN_STATUS_UNAVAILABLE);
  CHECK_FALSE(would_repeat(other, CART));
  DECIDES(other, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  DECIDES(one, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(other);
  eown_context_unref(one);
}

/* An answer that had its retry says nothing of a failure beside it. */
EOWN_TEST(ContextCorrelation, CriteriaOfAnAnswerAreNotTheFailures) {
  for (int answer_first = 0; answer_first < 2; answer_first++) {
    TEST_TRACE("answer first %d", answer_first);
    eown_context *context = test_context();
    eown_outcome answer = test_outcome(CART, 0, EOWN_STATUS_NOT_FOUND);
    answer.claim = EOWN_CLAIM_UNCLAIMED;
    if (answer_first)
      eown_context_record(context, &answer);
    end(context, CART, 0, EOWN_STATUS_UNAVAILABLE);
    if (!answer_first)
      eown_context_record(context, &answer);
    DECIDES(context, EOWN_STATUS_UNAVAILABLE, EOWN_REASON_AT_LEAST_ONCE);
    eown_context_unref(context);
  }
}
