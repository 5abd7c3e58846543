/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* More failed edges than a context keeps apart. */
#include "context_support.h"

#include "eown/counters.h"

#include <stdio.h>

/* The name of the i-th edge. */
static const char *edge(int i) {
  static char name[32];
  snprintf(name, sizeof name, "/many.Edges/E%d", i);
  return name;
}

static void fail_edges(eown_context *context, int from, int to,
                       eown_status status) {
  for (int i = from; i < to; i++)
    test_call(context, edge(i), status);
}

EOWN_TEST(ContextOverflow, AllEdgesAreKeptApart) {
  eown_context *context = test_context();
  uint64_t before = eown_counter_read(EOWN_COUNTER_edge_limit);
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_UNAVAILABLE);
  CHECK_EQ(before, eown_counter_read(EOWN_COUNTER_edge_limit));
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(ContextOverflow, SummaryStandsAndIsCounted) {
  eown_context *context = test_context();
  uint64_t before = eown_counter_read(EOWN_COUNTER_edge_limit);
  fail_edges(context, 0, EOWN_CONTEXT_EDGES + 1, EOWN_STATUS_UNAVAILABLE);
  CHECK_EQ(before + 1, eown_counter_read(EOWN_COUNTER_edge_limit));
  fail_edges(context, 0, EOWN_CONTEXT_EDGES + 1, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextOverflow, StrongestOfTheSummarySpeaks) {
  for (int at = 0; at < 3; at++) {
    TEST_TRACE("propagated at %d", at);
    eown_context *context = test_context();
    fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_UNAVAILABLE);
    for (int i = 0; i < 3; i++) {
      eown_outcome outcome = test_outcome(edge(EOWN_CONTEXT_EDGES + i), 0,
                                          EOWN_STATUS_UNAVAILABLE);
      outcome.attempts = i == at ? 2 : 1;
      eown_context_record(context, &outcome);
    }
    fail_edges(context, 0, EOWN_CONTEXT_EDGES + 3, EOWN_STATUS_OK);
    DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
    eown_context_unref(context);
  }
}

EOWN_TEST(ContextOverflow, DetailOfASummaryIsWellFormed) {
  eown_context *context = test_context();
  eown_context_view view = test_view();
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_UNAVAILABLE);
  eown_outcome outcome =
      test_outcome(edge(EOWN_CONTEXT_EDGES), 0, EOWN_STATUS_UNAVAILABLE);
  outcome.claim = EOWN_CLAIM_UNCLAIMED;
  eown_context_record(context, &outcome);
  eown_claim_detail detail, read;
  test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                     EOWN_REASON_PROPAGATED, &detail);
  CHECK_LE(1, detail.hops);
  uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
  size_t length = eown_claim_detail_encode(&detail, buffer, sizeof buffer);
  CHECK_TRUE(eown_claim_detail_decode(buffer, length, &read));
  eown_context_unref(context);
}

/* Fail-open by the call's own pin, which the summary has at hand. */
EOWN_TEST(ContextOverflow, PinnedOnesStayCoincidental) {
  eown_context *context = test_context();
  for (int i = 0; i < 2 * EOWN_CONTEXT_EDGES; i++) {
    eown_outcome outcome = test_outcome(edge(i), 0, EOWN_STATUS_UNAVAILABLE);
    outcome.edge = EOWN_EDGE_FAIL_OPEN;
    outcome.attempts = 2;
    eown_context_record(context, &outcome);
  }
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_COINCIDENTAL);
  eown_context_unref(context);
}

EOWN_TEST(ContextOverflow, SetRetriedReachesTheSummary) {
  eown_context *context = test_context();
  fail_edges(context, 0, EOWN_CONTEXT_EDGES + 1, EOWN_STATUS_UNAVAILABLE);
  eown_context_set_retried(context);
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

/* A cleared edge gives its place back: never more than one is failed here. */
EOWN_TEST(ContextOverflow, ClearedEdgesTakeNoPlace) {
  eown_context *context = test_context();
  uint64_t before = eown_counter_read(EOWN_COUNTER_edge_limit);
  for (int i = 0; i < 5 * EOWN_CONTEXT_EDGES; i++) {
    test_call(context, edge(i), EOWN_STATUS_UNAVAILABLE);
    test_call(context, edge(i), EOWN_STATUS_OK);
  }
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  CHECK_EQ(before, eown_counter_read(EOWN_COUNTER_edge_limit));
  eown_context_unref(context);
}

/* Answers are not failed edges: they leave the places to those. */
EOWN_TEST(ContextOverflow, AnswersTakeNoPlaceFromFailures) {
  eown_context *context = test_context();
  fail_edges(context, 0, 5 * EOWN_CONTEXT_EDGES, EOWN_STATUS_NOT_FOUND);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  DECIDES(context, EOWN_STATUS_NOT_FOUND, EOWN_REASON_PROPAGATED);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  test_call(context, CART, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

/* An answer that finds no place is still passed on as what it is, and speaks
 * of nothing else. */
EOWN_TEST(ContextOverflow, AnswersBesideAFullContext) {
  eown_context *context = test_context();
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_NOT_FOUND);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  DECIDES(context, EOWN_STATUS_NOT_FOUND, EOWN_REASON_PROPAGATED);
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_OK);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

/* Calling again and failing again: even where the edge is not kept apart, that
 * was a retry, and saying otherwise would multiply (rule 2 b). */
EOWN_TEST(ContextOverflow, OwnRetryWithinTheSummary) {
  eown_context *context = test_context();
  fail_edges(context, 0, EOWN_CONTEXT_EDGES + 1, EOWN_STATUS_UNAVAILABLE);
  test_call(context, edge(EOWN_CONTEXT_EDGES), EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

/* Fills the places, then has a propagating edge and a fail-open one share the
 * summary, in either order; the first fills are cleared again. */
static void check_shared_summary(bool pinned_by_call, bool open_first,
                                 const char *pins) {
  TEST_TRACE("pinned by the call %d, fail-open first %d", pinned_by_call,
             open_first);
  eown_context_view view = test_view();
  view.pins = pins;
  eown_context *context = test_context();
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_UNAVAILABLE);
  for (int i = 0; i < 2; i++) {
    bool open = (i == 0) == open_first;
    eown_outcome outcome =
        test_outcome(open ? ADS : CART, 0, EOWN_STATUS_UNAVAILABLE);
    outcome.attempts = open ? 1 : 2;
    if (open && pinned_by_call)
      outcome.edge = EOWN_EDGE_FAIL_OPEN;
    eown_context_record(context, &outcome);
  }
  fail_edges(context, 0, EOWN_CONTEXT_EDGES, EOWN_STATUS_OK);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(ContextOverflow, FailOpenOnesDoNotHideOthersOfTheSummary) {
  for (int open_first = 0; open_first < 2; open_first++) {
    check_shared_summary(true, open_first, NULL);
    check_shared_summary(false, open_first, ADS "=fail-open");
  }
}
