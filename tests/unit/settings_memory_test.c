/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* What settings own, and when memory runs out; the process-wide switch. */
#include "eown/settings.h"

#include "gtest_c.h"
#include "support.h"

#include <string.h>

#define PINS "/a.B/C=fail-open,/in.S/M>/out.S/*=fail-close"

EOWN_TEST(SettingsMemory, PinsAreOwnedOnce) {
  test_allocator allocator;
  test_allocator_init(&allocator, 0);
  eown_settings settings;
  eown_settings_init(&settings, &allocator.base);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(EOWN_ERROR_OK,
             eown_settings_set(&settings, "eown.pins", PINS, NULL, 0));
    CHECK_LT(0, allocator.live);
    CHECK_LE(allocator.live, 1);
  }
  /* A bad value leaves the old one, and leaves nothing behind. */
  CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT,
           eown_settings_set(&settings, "eown.pins", "bad", NULL, 0));
  CHECK_STREQ(PINS, settings.pins);
  eown_settings_clear(&settings);
  CHECK_EQ(0, allocator.live);
}

EOWN_TEST(SettingsMemory, NothingSetNothingOwned) {
  test_allocator allocator;
  test_allocator_init(&allocator, 0);
  eown_settings settings;
  eown_settings_init(&settings, &allocator.base);
  eown_settings_clear(&settings);
  CHECK_EQ(0, allocator.allocations);
}

EOWN_TEST(SettingsMemory, EveryAllocationMayFail) {
  for (unsigned long i = 1;; i++) {
    TEST_TRACE("allocation %lu fails", i);
    test_allocator allocator;
    test_allocator_init(&allocator, i);
    eown_settings settings;
    eown_settings_init(&settings, &allocator.base);
    char message[512] = "";
    eown_error error = eown_settings_set(&settings, "eown.pins", PINS, message,
                                         sizeof message);
    if (allocator.allocations < i) { /* none left to fail */
      CHECK_EQ(EOWN_ERROR_OK, error);
      CHECK_LT(1, i);
      eown_settings_clear(&settings);
      CHECK_EQ(0, allocator.live);
      break;
    }
    CHECK_EQ(EOWN_ERROR_NO_MEMORY, error);
    CHECK_NULL(settings.pins);
    CHECK_CONTAINS("eown.pins", message);
    CHECK_EQ(0, allocator.live);
    eown_settings_clear(&settings);
    CHECK_EQ(0, allocator.live);
  }
}

EOWN_TEST(SettingsMemory, OldPinsStayWhereNewOnesFindNoRoom) {
  test_allocator allocator;
  test_allocator_init(&allocator, 0);
  eown_settings settings;
  eown_settings_init(&settings, &allocator.base);
  REQUIRE_EQ(EOWN_ERROR_OK,
             eown_settings_set(&settings, "eown.pins", PINS, NULL, 0));
  allocator.fail_at = allocator.allocations + 1;
  CHECK_EQ(EOWN_ERROR_NO_MEMORY,
           eown_settings_set(&settings, "eown.pins", "*=fail-open", NULL, 0));
  CHECK_STREQ(PINS, settings.pins);
  eown_settings_clear(&settings);
  CHECK_EQ(0, allocator.live);
}

/* The settings without text of their own need no memory. */
EOWN_TEST(SettingsMemory, OnlyPinsAllocate) {
  test_allocator allocator;
  test_allocator_init(&allocator, 1);
  eown_settings settings;
  eown_settings_init(&settings, &allocator.base);
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set(&settings, "eown.service_name", "s", NULL, 0));
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set(&settings, "eown.claim_key_alias", "k", NULL, 0));
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set(&settings, "eown.faults", "INTERNAL", NULL, 0));
  CHECK_EQ(0, allocator.allocations);
  eown_settings_clear(&settings);
}

EOWN_TEST(Mode, NamesAndNumbers) {
  static const char *const names[] = {"off", "observe", "enforce"};
  static const char *const numbers[] = {"0", "1", "2"};
  for (int i = 0; i < EOWN_MODE_N; i++) {
    CHECK_STREQ(names[i], eown_mode_name((eown_mode)i));
    eown_mode mode = EOWN_MODE_N;
    CHECK_TRUE(eown_mode_parse(names[i], &mode));
    CHECK_EQ(i, (int)mode);
    mode = EOWN_MODE_N;
    CHECK_TRUE(eown_mode_parse(numbers[i], &mode));
    CHECK_EQ(i, (int)mode);
  }
}

EOWN_TEST(Mode, RefusesOthers) {
  static const char *const others[] = {"",    "3",   "-1",   "00",      "2 ",
                                       " 2",  "on",  "of",   "offf",    "1x",
                                       "0.0", "two", "off,", "observed"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    TEST_TRACE("\"%s\"", others[i]);
    eown_mode mode = EOWN_MODE_N;
    CHECK_FALSE(eown_mode_parse(others[i], &mode));
    CHECK_EQ(EOWN_MODE_N, mode);
  }
}

EOWN_TEST(Mode, OverrideWinsUntilTakenBack) {
  for (int own = 0; own < EOWN_MODE_N; own++)
    CHECK_EQ(own, (int)eown_mode_effective((eown_mode)own));
  for (int mode = 0; mode < EOWN_MODE_N; mode++) {
    eown_mode_override((eown_mode)mode);
    for (int own = 0; own < EOWN_MODE_N; own++)
      CHECK_EQ(mode, (int)eown_mode_effective((eown_mode)own));
  }
  eown_mode_override(EOWN_MODE_N);
  for (int own = 0; own < EOWN_MODE_N; own++)
    CHECK_EQ(own, (int)eown_mode_effective((eown_mode)own));
}

static void switch_mode(unsigned index, void *user) {
  (void)user;
  for (int i = 0; i < 1000; i++) {
    eown_mode_override((eown_mode)((index + (unsigned)i) % EOWN_MODE_N));
    CHECK_LT(eown_mode_effective(EOWN_MODE_OFF), EOWN_MODE_N);
  }
}

EOWN_TEST(Mode, SwitchesUnderThreads) {
  test_on_threads(switch_mode, NULL);
  eown_mode_override(EOWN_MODE_N);
}
