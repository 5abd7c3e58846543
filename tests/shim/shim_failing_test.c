/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Tests that fail on purpose; check_failing.cmake runs them one by one and
 * wants each to fail. The texts that the output must hold stand there. */
#include "gtest_c.h"

#include <pthread.h>

static const char *const none;

EOWN_TEST(Failing, True) { CHECK_TRUE(2 < 1); }
EOWN_TEST(Failing, False) { CHECK_FALSE(1 < 2); }
EOWN_TEST(Failing, Eq) { CHECK_EQ(41 + 1, 6 * 9); }
EOWN_TEST(Failing, EqSigns) { CHECK_EQ(-1, UINTMAX_MAX); }
EOWN_TEST(Failing, Ne) { CHECK_NE(7, 7); }
EOWN_TEST(Failing, Lt) { CHECK_LT(2, 2); }
EOWN_TEST(Failing, Le) { CHECK_LE(3, 2); }
EOWN_TEST(Failing, Gt) { CHECK_GT(-3, -2); }
EOWN_TEST(Failing, Ge) { CHECK_GE(-3, 2u); }
EOWN_TEST(Failing, Near) { CHECK_NEAR(1.5, 2.5, 0.5); }
EOWN_TEST(Failing, NearNaN) {
  CHECK_NEAR(0.0, 0.0 / (double)(none != NULL), 1.0);
}
EOWN_TEST(Failing, Streq) { CHECK_STREQ("owned", "unowned"); }
EOWN_TEST(Failing, StreqNull) { CHECK_STREQ("owned", none); }
EOWN_TEST(Failing, Strne) { CHECK_STRNE("same", "same"); }
EOWN_TEST(Failing, Contains) { CHECK_CONTAINS("needle", "hay"); }
EOWN_TEST(Failing, Memeq) { CHECK_MEMEQ("\x01\x02", "\x01\x03", 2); }
EOWN_TEST(Failing, PtrEq) { CHECK_PTR_EQ(&none, none); }
EOWN_TEST(Failing, PtrNe) { CHECK_PTR_NE(none, none); }
EOWN_TEST(Failing, Null) { CHECK_NULL(&none); }
EOWN_TEST(Failing, NotNull) { CHECK_NOT_NULL(none); }
EOWN_TEST(Failing, Fail) { FAIL_TEST("given up at %d", 77); }

EOWN_TEST(Failing, GoesOnAfterCheck) {
  CHECK_EQ(1, 2);
  FAIL_TEST("went on");
}

EOWN_TEST(Failing, RequireEnds) {
  REQUIRE_EQ(1, 2);
  FAIL_TEST("did not end");
}

EOWN_TEST(Failing, Trace) {
  { TEST_TRACE("gone trace %d", 1); }
  TEST_TRACE("live trace %s", "two");
  CHECK_TRUE(false);
}

static void *fail_elsewhere(void *unused) {
  (void)unused;
  CHECK_EQ(1, 3);
  return NULL;
}

EOWN_TEST(Failing, Thread) {
  pthread_t thread;
  REQUIRE_EQ(0, pthread_create(&thread, NULL, fail_elsewhere, NULL));
  REQUIRE_EQ(0, pthread_join(thread, NULL));
}
