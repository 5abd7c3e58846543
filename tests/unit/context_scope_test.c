/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The thread's current context. */
#include "context_support.h"

#include "support.h"

EOWN_TEST(ContextScope, NestsAndLeavesInOrder) {
  eown_context *one = test_context(), *two = test_context();
  eown_context_scope outer, inner, none;
  CHECK_NULL(eown_context_current());
  eown_context_enter(&outer, one);
  CHECK_PTR_EQ(one, eown_context_current());
  eown_context_enter(&inner, two);
  CHECK_PTR_EQ(two, eown_context_current());
  eown_context_enter(&none, NULL);
  CHECK_NULL(eown_context_current());
  eown_context_leave(&none);
  CHECK_PTR_EQ(two, eown_context_current());
  eown_context_leave(&inner);
  CHECK_PTR_EQ(one, eown_context_current());
  eown_context_leave(&outer);
  CHECK_NULL(eown_context_current());
  eown_context_unref(two);
  eown_context_unref(one);
}

EOWN_TEST(ContextScope, EntersTheSameTwice) {
  eown_context *context = test_context();
  eown_context_scope outer, inner;
  eown_context_enter(&outer, context);
  eown_context_enter(&inner, context);
  eown_context_leave(&inner);
  CHECK_PTR_EQ(context, eown_context_current());
  eown_context_leave(&outer);
  eown_context_unref(context);
}

EOWN_TEST(ContextScope, HoldsAReference) {
  eown_context *context = test_context();
  eown_context_scope scope;
  eown_context_enter(&scope, context);
  eown_context_unref(context);
  CHECK_PTR_EQ(context, eown_context_current());
  CHECK_STREQ(INBOUND, eown_context_method(eown_context_current()));
  eown_context *other = test_context();
  CHECK_PTR_NE(context, other);
  eown_context_unref(other);
  eown_context_leave(&scope);
  CHECK_NULL(eown_context_current());
}

static void use_own_scope(unsigned index, void *user) {
  (void)index;
  CHECK_NULL(eown_context_current());
  eown_context *context = test_context();
  CHECK_PTR_NE(context, user);
  for (int i = 0; i < 100; i++) {
    eown_context_scope scope;
    eown_context_enter(&scope, context);
    CHECK_PTR_EQ(context, eown_context_current());
    eown_context_leave(&scope);
  }
  CHECK_NULL(eown_context_current());
  eown_context_unref(context);
}

EOWN_TEST(ContextScope, IsTheThreadsOwn) {
  eown_context *context = test_context();
  eown_context_scope scope;
  eown_context_enter(&scope, context);
  test_on_threads(use_own_scope, context);
  CHECK_PTR_EQ(context, eown_context_current());
  eown_context_leave(&scope);
  eown_context_unref(context);
}
