/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Many threads at once; most of its use is under ThreadSanitizer. */
#include "context_support.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 500 };

static const char *const edges[TEST_THREADS] = {"/t.S/0", "/t.S/1", "/t.S/2",
                                                "/t.S/3", "/t.S/4", "/t.S/5",
                                                "/t.S/6", "/t.S/7"};

static void acquire_and_use(unsigned index, void *user) {
  (void)user;
  for (int i = 0; i < ROUNDS; i++) {
    eown_context *context = test_context();
    CHECK_FALSE(eown_context_is_retry(context));
    test_call(context, edges[index], EOWN_STATUS_UNAVAILABLE);
    eown_context *more = eown_context_ref(context);
    eown_context_unref(context);
    test_decide(more, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
    eown_context_unref(more);
  }
}

EOWN_TEST(ContextThreads, AcquireAndRelease) {
  REQUIRE_TRUE(eown_context_pool_init());
  test_on_threads(acquire_and_use, NULL);
}

/* All threads hold what they took until all have: no place is given twice. */
typedef struct hoard {
  eown_context *taken[TEST_THREADS][ROUNDS];
} hoard;

static void take(unsigned index, void *user) {
  hoard *self = user;
  for (int i = 0; i < ROUNDS; i++) {
    eown_context *context = eown_context_acquire();
    self->taken[index][i] = context;
    if (context)
      eown_context_set_method(context, edges[index], 6);
  }
}

static void give_neighbours_back(unsigned index, void *user) {
  hoard *self = user;
  unsigned neighbour = (index + 1) % TEST_THREADS;
  for (int i = 0; i < ROUNDS; i++) {
    REQUIRE_NOT_NULL(self->taken[neighbour][i]);
    CHECK_STREQ(edges[neighbour],
                eown_context_method(self->taken[neighbour][i]));
    eown_context_unref(self->taken[neighbour][i]);
  }
}

EOWN_TEST(ContextThreads, NoPlaceIsGivenTwice) {
  static hoard all;
  REQUIRE_TRUE(eown_context_pool_init());
  for (int round = 0; round < 3; round++) {
    test_on_threads(take, &all);
    test_on_threads(give_neighbours_back, &all);
  }
}

/* A thread keeps some free contexts, and gives them back when it ends:
 * otherwise some would be missing here. */
static void use_some(unsigned index, void *user) {
  enum { SOME = 20 };
  (void)index;
  (void)user;
  eown_context *contexts[SOME];
  for (int i = 0; i < SOME; i++)
    REQUIRE_NOT_NULL(contexts[i] = eown_context_acquire());
  for (int i = 0; i < SOME; i++)
    eown_context_unref(contexts[i]);
  eown_context *first = eown_context_acquire();
  eown_context *second = eown_context_acquire();
  REQUIRE_TRUE(first != NULL && second != NULL && first != second);
  eown_context_unref(first);
  CHECK_PTR_EQ(first, eown_context_acquire()); /* the one it had kept */
  eown_context_unref(first);
  eown_context_unref(second);
}

EOWN_TEST(ContextThreads, EndedThreadsKeepNothing) {
  REQUIRE_TRUE(eown_context_pool_init());
  for (int round = 0; round < 20; round++)
    test_on_threads(use_some, NULL);
  eown_context **all = calloc(EOWN_CONTEXTS_MAX, sizeof(eown_context *));
  REQUIRE_NOT_NULL(all);
  int got = 0;
  while (got < EOWN_CONTEXTS_MAX && (all[got] = eown_context_acquire()))
    got++;
  CHECK_EQ(EOWN_CONTEXTS_MAX, got);
  while (got > 0)
    eown_context_unref(all[--got]);
  free(all);
}

/* One context shared by all: fail on an edge of the thread's own, and on one of
 * everybody's, then succeed. */
static void fail_and_clear(unsigned index, void *user) {
  eown_context *context = user;
  for (int i = 0; i < ROUNDS; i++) {
    test_call(context, edges[index], EOWN_STATUS_UNAVAILABLE);
    CHECK_TRUE(eown_context_would_repeat(context, edges[index], 6));
    test_call(context, edges[index], EOWN_STATUS_OK);
    test_call(context, edges[index], EOWN_STATUS_NOT_FOUND);
  }
}

EOWN_TEST(ContextThreads, SharedContextClears) {
  eown_context *context = test_context();
  test_on_threads(fail_and_clear, context);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  DECIDES(context, EOWN_STATUS_NOT_FOUND, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

static void fail_once(unsigned index, void *user) {
  test_call(user, edges[index], EOWN_STATUS_UNAVAILABLE);
}

EOWN_TEST(ContextThreads, SharedContextKeepsEveryFailure) {
  for (int round = 0; round < 20; round++) {
    eown_context *context = test_context();
    test_on_threads(fail_once, context);
    for (unsigned i = 0; i < TEST_THREADS; i++) {
      DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
      test_call(context, edges[i], EOWN_STATUS_OK);
    }
    DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
    eown_context_unref(context);
  }
}

/* Everything at once on one context, deciding included. What comes out is not
 * determined; that it is sound and races with nothing is. */
static void do_anything(unsigned index, void *user) {
  eown_context *context = user;
  eown_context_view view = test_view();
  view.pins = "/t.S/0=fail-open";
  for (int i = 0; i < ROUNDS; i++) {
    eown_context *held = eown_context_ref(context);
    eown_claim_detail detail;
    eown_outcome outcome = test_outcome(
        edges[(index + (unsigned)i) % TEST_THREADS], eown_context_now(held),
        i % 3 ? EOWN_STATUS_UNAVAILABLE : EOWN_STATUS_OK);
    eown_context_record(held, &outcome);
    if (i % 7 == 0)
      eown_context_set_retried(held);
    if (i % 11 == 0)
      eown_context_set_claim(held, EOWN_CLAIM_MISSING);
    if (i % 13 == 0)
      eown_context_mark_retry(held);
    eown_context_is_retry(held);
    eown_decision decision =
        eown_context_decide(held, EOWN_STATUS_INTERNAL, &view, &detail);
    CHECK_EQ(eown_rule_claim(decision.reason), decision.claim);
    CHECK_NE(EOWN_REASON_NONE, decision.reason);
    eown_context_unref(held);
  }
}

EOWN_TEST(ContextThreads, EverythingAtOnce) {
  eown_context *context = test_context();
  test_on_threads(do_anything, context);
  eown_context_unref(context);
}

/* The last reference may go on any thread, while others take contexts. */
static void drop_and_take(unsigned index, void *user) {
  (void)index;
  eown_context_unref(user);
  eown_context *context = test_context();
  CHECK_STREQ(INBOUND, eown_context_method(context));
  eown_context_unref(context);
}

EOWN_TEST(ContextThreads, LastReferenceGoesAnywhere) {
  for (int round = 0; round < 20; round++) {
    eown_context *context = test_context();
    for (int i = 1; i < TEST_THREADS; i++)
      eown_context_ref(context);
    test_on_threads(drop_and_take, context);
  }
}
