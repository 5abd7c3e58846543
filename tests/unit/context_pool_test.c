/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Taking and giving back contexts. */
#include "context_support.h"

#include <stdlib.h>
#include <string.h>

EOWN_TEST(ContextPool, InitTwiceIsFine) {
  CHECK_TRUE(eown_context_pool_init());
  eown_context *context = eown_context_acquire();
  REQUIRE_NOT_NULL(context);
  CHECK_TRUE(eown_context_pool_init());
  CHECK_TRUE(eown_context_is_context(context));
  eown_context_unref(context);
}

EOWN_TEST(ContextPool, FreshContextIsEmpty) {
  REQUIRE_TRUE(eown_context_pool_init());
  for (int round = 0; round < 100; round++) {
    eown_context *context = eown_context_acquire();
    REQUIRE_NOT_NULL(context);
    CHECK_STREQ("", eown_context_method(context));
    CHECK_FALSE(eown_context_is_retry(context));
    CHECK_FALSE(eown_context_would_repeat(context, CART, strlen(CART)));
    DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
    /* Leave all kinds of traces for the next one. */
    eown_context_set_method(context, INBOUND, strlen(INBOUND));
    eown_context_mark_retry(context);
    CHECK_TRUE(eown_context_is_retry(context));
    for (int i = 0; i < 2 * EOWN_CONTEXT_EDGES; i++) {
      char method[] = "/left.Behind/A";
      method[sizeof method - 2] = (char)('A' + i);
      test_call(context, method, EOWN_STATUS_UNAVAILABLE);
    }
    test_call(context, CART, EOWN_STATUS_NOT_FOUND);
    eown_context_set_retried(context);
    eown_context_set_claim(context, EOWN_CLAIM_UNCLAIMED);
    eown_context_unref(context);
  }
}

EOWN_TEST(ContextPool, MethodIsCutAndCopied) {
  eown_context *context = test_context();
  char path[] = "/a.B/C and what follows";
  eown_context_set_method(context, path, 6);
  memset(path, 'x', sizeof path);
  CHECK_STREQ("/a.B/C", eown_context_method(context));
  static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH";
  for (size_t length = 0; length < sizeof digits; length++) {
    eown_context_set_method(context, digits, length);
    CHECK_EQ(length, strlen(eown_context_method(context)));
    CHECK_EQ(0, memcmp(digits, eown_context_method(context), length));
  }
  char longer[2 * EOWN_METHOD_MAX];
  memset(longer, 'l', sizeof longer);
  eown_context_set_method(context, longer, sizeof longer);
  CHECK_EQ(EOWN_METHOD_MAX, strlen(eown_context_method(context)));
  eown_context_unref(context);
}

EOWN_TEST(ContextPool, LivesAsLongAsItsReferences) {
  eown_context *context = test_context();
  CHECK_PTR_EQ(context, eown_context_ref(context));
  eown_context_unref(context);
  CHECK_STREQ(INBOUND, eown_context_method(context));
  /* It is not handed out again while a reference is left. */
  eown_context *others[64];
  for (int i = 0; i < 64; i++) {
    others[i] = eown_context_acquire();
    CHECK_NOT_NULL(others[i]);
    CHECK_PTR_NE(context, others[i]);
  }
  CHECK_STREQ(INBOUND, eown_context_method(context));
  for (int i = 0; i < 64; i++)
    eown_context_unref(others[i]);
  eown_context_unref(context);
}

/* A late outbound holds a reference and records after the inbound ended. */
EOWN_TEST(ContextPool, RecordsAfterTheLastDecision) {
  eown_context *context = test_context();
  uint32_t started = eown_context_now(context);
  eown_context *held = eown_context_ref(context);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
  eown_outcome outcome = test_outcome(CART, started, EOWN_STATUS_UNAVAILABLE);
  eown_context_record(held, &outcome);
  outcome.status = EOWN_STATUS_OK;
  eown_context_record(held, &outcome);
  eown_context_unref(held);
}

EOWN_TEST(ContextPool, KnowsItsOwnFromForeignPointers) {
  eown_context *context = test_context();
  int on_stack = 0;
  static int in_data;
  void *on_heap = malloc(64);
  CHECK_TRUE(eown_context_is_context(context));
  CHECK_FALSE(eown_context_is_context(NULL));
  CHECK_FALSE(eown_context_is_context(&on_stack));
  CHECK_FALSE(eown_context_is_context(&in_data));
  CHECK_FALSE(eown_context_is_context(on_heap));
  CHECK_FALSE(eown_context_is_context("text"));
  free(on_heap);
  eown_context_unref(context);
}

EOWN_TEST(ContextPool, ReadsNothingBehindForeignPointers) {
  for (unsigned bit = 0; bit < 64; bit++)
    for (int offset = -1; offset <= 1; offset++) {
      uintptr_t address = ((uintptr_t)1 << bit) + (uintptr_t)(intptr_t)offset;
      eown_context_is_context((const void *)address);
    }
  CHECK_FALSE(eown_context_is_context((const void *)(uintptr_t)1));
  CHECK_FALSE(eown_context_is_context((const void *)UINTPTR_MAX));
  CHECK_FALSE(eown_context_is_context((const void *)(UINTPTR_MAX - 63)));
}

EOWN_TEST(ContextPool, KnowsItsOwnFromInteriorPointers) {
  eown_context *context = test_context();
  /* A context keeps EOWN_CONTEXT_EDGES names, so it is larger than this. */
  for (int offset = 1; offset < 512; offset++) {
    TEST_TRACE("offset %d", offset);
    CHECK_FALSE(eown_context_is_context((const char *)context + offset));
    CHECK_FALSE(eown_context_is_context((const char *)context - offset));
  }
  eown_context_unref(context);
}

EOWN_TEST(ContextPool, EndsAtTheLimit) {
  REQUIRE_TRUE(eown_context_pool_init());
  eown_context **all = calloc(EOWN_CONTEXTS_MAX, sizeof(eown_context *));
  REQUIRE_NOT_NULL(all);
  for (int round = 0; round < 2; round++) {
    TEST_TRACE("round %d", round);
    int got = 0;
    while (got < EOWN_CONTEXTS_MAX && (all[got] = eown_context_acquire()))
      got++;
    CHECK_EQ(EOWN_CONTEXTS_MAX, got);
    CHECK_NULL(eown_context_acquire());
    CHECK_NULL(eown_context_acquire());
    /* One given back is one to be had. */
    if (got > 0) {
      eown_context_unref(all[--got]);
      all[got] = eown_context_acquire();
      CHECK_NOT_NULL(all[got]);
      CHECK_NULL(eown_context_acquire());
      if (all[got])
        got++;
    }
    int foreign = 0;
    for (int i = 0; i < got; i++)
      foreign += !eown_context_is_context(all[i]);
    CHECK_EQ(0, foreign);
    for (int i = 0; i < got; i++)
      eown_context_unref(all[i]);
  }
  free(all);
}
