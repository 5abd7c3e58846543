/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* What is known of an edge: pins of the call, pins of the server, memory. */
#include "context_support.h"

#include <stdio.h>
#include <string.h>

/* A memory that gives one answer and keeps what it is told. */
typedef struct told {
  eown_edge_kind answer;
  int kinds, learns;
  char inbound[256], outbound[256]; /* of the last call */
  bool outbound_failed, inbound_failed;
  uint64_t now_ms;
} told;

static void keep(told *self, const eown_edge *edge) {
  snprintf(self->inbound, sizeof self->inbound, "%.*s",
           (int)edge->inbound_length, edge->inbound);
  snprintf(self->outbound, sizeof self->outbound, "%.*s",
           (int)edge->outbound_length, edge->outbound);
}

static eown_edge_kind told_kind(void *pointer, const eown_edge *edge,
                                uint64_t now_ms) {
  told *self = pointer;
  (void)now_ms;
  self->kinds++;
  keep(self, edge);
  return self->answer;
}

static void told_learn(void *pointer, const eown_inbound_end *end,
                       uint64_t now_ms) {
  told *self = pointer;
  for (size_t i = 0; i < end->edge_count; i++) {
    self->learns++;
    keep(self, &end->edges[i].edge);
    self->outbound_failed = end->edges[i].failed;
  }
  self->inbound_failed = end->failed;
  self->now_ms = now_ms;
}

/* One failed call on CART whose caller pins it as `pinned`, the server's pins
 * being `pins` and its memory saying `known`. */
static void check_edge(eown_edge_kind pinned, const char *pins,
                       eown_edge_kind known, eown_reason reason) {
  TEST_TRACE("pinned %d, pins %s, known %d", (int)pinned, pins ? pins : "none",
             (int)known);
  told state = {.answer = known};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.pins = pins;
  view.memory = &memory;
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_UNAVAILABLE);
  outcome.edge = pinned;
  eown_context_record(context, &outcome);
  test_decide_view(context, EOWN_STATUS_INTERNAL, &view, reason);
  eown_context_unref(context);
}

EOWN_TEST(ContextEdges, MemoryDecidesWhereNothingIsPinned) {
  check_edge(EOWN_EDGE_UNKNOWN, NULL, EOWN_EDGE_UNKNOWN,
             EOWN_REASON_AT_LEAST_ONCE);
  check_edge(EOWN_EDGE_UNKNOWN, NULL, EOWN_EDGE_FAIL_CLOSE,
             EOWN_REASON_AT_LEAST_ONCE);
  check_edge(EOWN_EDGE_UNKNOWN, NULL, EOWN_EDGE_FAIL_OPEN,
             EOWN_REASON_COINCIDENTAL);
  check_edge(EOWN_EDGE_UNKNOWN, STOCK "=fail-close", EOWN_EDGE_FAIL_OPEN,
             EOWN_REASON_COINCIDENTAL);
}

EOWN_TEST(ContextEdges, PinsWinOverMemory) {
  check_edge(EOWN_EDGE_UNKNOWN, CART "=fail-open", EOWN_EDGE_FAIL_CLOSE,
             EOWN_REASON_COINCIDENTAL);
  check_edge(EOWN_EDGE_UNKNOWN, CART "=fail-close", EOWN_EDGE_FAIL_OPEN,
             EOWN_REASON_AT_LEAST_ONCE);
  check_edge(EOWN_EDGE_UNKNOWN, INBOUND ">" CART "=fail-open",
             EOWN_EDGE_UNKNOWN, EOWN_REASON_COINCIDENTAL);
  check_edge(EOWN_EDGE_UNKNOWN, "/other.Shop/Buy>" CART "=fail-open",
             EOWN_EDGE_UNKNOWN, EOWN_REASON_AT_LEAST_ONCE);
}

EOWN_TEST(ContextEdges, TheCallsOwnPinWinsOverAll) {
  check_edge(EOWN_EDGE_FAIL_OPEN, "*=fail-close", EOWN_EDGE_FAIL_CLOSE,
             EOWN_REASON_COINCIDENTAL);
  check_edge(EOWN_EDGE_FAIL_CLOSE, "*=fail-open", EOWN_EDGE_FAIL_OPEN,
             EOWN_REASON_AT_LEAST_ONCE);
}

EOWN_TEST(ContextEdges, MemoryIsAskedAndToldByName) {
  told state = {.answer = EOWN_EDGE_UNKNOWN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  view.now_ms = 123456;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_AT_LEAST_ONCE);
  CHECK_LE(1, state.kinds);
  CHECK_EQ(1, state.learns);
  CHECK_STREQ(INBOUND, state.inbound);
  CHECK_STREQ(CART, state.outbound);
  CHECK_TRUE(state.outbound_failed);
  CHECK_TRUE(state.inbound_failed);
  CHECK_EQ(123456, state.now_ms);
  eown_context_unref(context);
}

/* Carrying on without the callee is what makes an edge fail-open. */
EOWN_TEST(ContextEdges, MemoryLearnsFromInboundsThatEndWell) {
  told state = {.answer = EOWN_EDGE_UNKNOWN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES_VIEW(context, EOWN_STATUS_OK, &view, EOWN_REASON_NONE);
  CHECK_EQ(1, state.learns);
  CHECK_TRUE(state.outbound_failed);
  CHECK_FALSE(state.inbound_failed);
  eown_context_unref(context);
}

/* The last outcome counts: a failure that was cleared is none. */
EOWN_TEST(ContextEdges, MemoryIsToldTheLastOutcome) {
  told state = {.answer = EOWN_EDGE_UNKNOWN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_OK);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN);
  if (state.learns)
    CHECK_FALSE(state.outbound_failed);
  eown_context_unref(context);
}

/* An answer is no failure, also to the memory. */
EOWN_TEST(ContextEdges, MemoryIsNotToldOfAnswersAsFailures) {
  told state = {.answer = EOWN_EDGE_UNKNOWN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_NOT_FOUND);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_OWN);
  if (state.learns)
    CHECK_FALSE(state.outbound_failed);
  eown_context_unref(context);
}

EOWN_TEST(ContextEdges, EveryFailedEdgeIsLearned) {
  told state = {.answer = EOWN_EDGE_FAIL_OPEN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  test_call(context, STOCK, EOWN_STATUS_INTERNAL);
  test_call(context, ADS, EOWN_STATUS_UNKNOWN);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_COINCIDENTAL);
  CHECK_EQ(3, state.learns);
  eown_context_unref(context);
}

/* Rule 4 says pins win; what is learned is learned from what happened, so an
 * application's claim does not keep the memory from learning. */
EOWN_TEST(ContextEdges, ApplicationsClaimIsLearnedFromToo) {
  told state = {.answer = EOWN_EDGE_UNKNOWN};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  eown_context_set_claim(context, EOWN_CLAIM_CLAIMED);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_APPLICATION);
  CHECK_EQ(1, state.learns);
  CHECK_TRUE(state.outbound_failed);
  eown_context_unref(context);
}

EOWN_TEST(ContextEdges, MemoryNeedsNeitherFunction) {
  eown_memory memory = {NULL, NULL, NULL};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(ContextEdges, WorkWithoutAMethodHasAnEmptyInbound) {
  told state = {.answer = EOWN_EDGE_UNKNOWN, .inbound = "x"};
  eown_memory memory = {told_kind, told_learn, &state};
  eown_context_view view = test_view();
  view.memory = &memory;
  eown_context *context = test_context();
  eown_context_set_method(context, "", 0);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES_VIEW(context, EOWN_STATUS_INTERNAL, &view, EOWN_REASON_AT_LEAST_ONCE);
  CHECK_STREQ("", state.inbound);
  eown_context_unref(context);
}

/* The pin is the failed call's: it goes when that failure is cleared. */
EOWN_TEST(ContextEdges, PinOfAClearedFailureIsGone) {
  eown_context *context = test_context();
  eown_outcome outcome = test_outcome(CART, 0, EOWN_STATUS_UNAVAILABLE);
  outcome.edge = EOWN_EDGE_FAIL_OPEN;
  eown_context_record(context, &outcome);
  test_call(context, CART, EOWN_STATUS_OK);
  test_call(context, CART, EOWN_STATUS_UNAVAILABLE);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}
