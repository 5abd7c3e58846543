/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* What the shim must let pass. */
#include "gtest_c.h"

#include <limits.h>

typedef enum shade { SHADE_LIGHT, SHADE_DARK } shade;

EOWN_TEST(Shim, ComparesIntegersOfEveryType) {
  unsigned char small = 200;
  signed char negative = -5;
  shade dark = SHADE_DARK;
  CHECK_EQ(200, small);
  CHECK_EQ(-5, negative);
  CHECK_EQ(SHADE_DARK, dark);
  CHECK_EQ(1u, dark);
  CHECK_EQ(true, 1);
  CHECK_EQ((size_t)7, 7);
  CHECK_EQ(INTMAX_MIN, INTMAX_MIN);
  CHECK_EQ(UINTMAX_MAX, UINTMAX_MAX);
}

EOWN_TEST(Shim, KeepsSignsApart) {
  CHECK_NE(-1, UINTMAX_MAX);
  CHECK_NE(-1, UINT_MAX);
  CHECK_LT(-1, 0u);
  CHECK_LT(-2, -1);
  CHECK_LE(-1, -1);
  CHECK_GT(1u, -1);
  CHECK_GE(UINTMAX_MAX, INTMAX_MAX);
  CHECK_LT(INTMAX_MIN, INTMAX_MAX);
}

EOWN_TEST(Shim, ChecksTextMemoryAndPointers) {
  int value = 0;
  const char *none = NULL;
  CHECK_STREQ("a", "a");
  CHECK_STREQ(none, NULL);
  CHECK_STRNE("a", none);
  CHECK_CONTAINS("owner", "error ownership");
  CHECK_MEMEQ("abc", "abd", 2);
  CHECK_PTR_EQ(&value, &value);
  CHECK_NULL(none);
  CHECK_NOT_NULL(&value);
  CHECK_NEAR(1.0, 1.05, 0.1);
  CHECK_TRUE(value == 0);
  CHECK_FALSE(value == 1);
}

static int evaluated;

static int next_value(void) { return ++evaluated; }

EOWN_TEST(Shim, EvaluatesArgumentsOnce) {
  evaluated = 0;
  CHECK_EQ(1, next_value());
  CHECK_TRUE(next_value() == 2);
  REQUIRE_EQ(3, next_value());
  CHECK_EQ(3, evaluated);
}

EOWN_TEST(Shim, TracesNest) {
  TEST_TRACE("outer %d", 1);
  for (int i = 0; i < 3; i++) {
    TEST_TRACE("round %d", i);
    CHECK_LE(0, i);
  }
}
