/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Settings: every key with good and bad values. */
#include "eown/settings.h"

#include "gtest_c.h"
#include "settings_values.h"
#include "support.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void check_same(const eown_settings *a, const eown_settings *b) {
  CHECK_EQ(a->mode, b->mode);
  CHECK_STREQ(a->service_name, b->service_name);
  CHECK_NEAR(a->retry_budget_percent, b->retry_budget_percent, 0);
  CHECK_NEAR(a->retry_budget_min_per_second, b->retry_budget_min_per_second, 0);
  CHECK_EQ(a->send_pushback, b->send_pushback);
  CHECK_EQ(a->trust_boundary, b->trust_boundary);
  CHECK_EQ(a->chain_stop, b->chain_stop);
  CHECK_EQ(a->own_unreachable, b->own_unreachable);
  CHECK_STREQ(a->claim_key_alias, b->claim_key_alias);
  CHECK_EQ(a->faults, b->faults);
  CHECK_STREQ(a->pins, b->pins);
}

EOWN_TEST(Settings, KeysFormsAndTexts) {
  static const char *const keys[] = {
#define KEY(name, value, form, text) "eown." #name,
      EOWN_SETTING_LIST(KEY)
#undef KEY
  };
  for (int i = 0; i < EOWN_SETTING_N; i++) {
    CHECK_STREQ(keys[i], eown_setting_key((eown_setting)i));
    CHECK_LT(0, strlen(eown_setting_form((eown_setting)i)));
    CHECK_LT(0, strlen(eown_setting_text((eown_setting)i)));
    CHECK_NOT_NULL(eown_setting_default((eown_setting)i));
  }
}

EOWN_TEST(Settings, Variables) {
  char name[EOWN_VARIABLE_MAX + 1];
  eown_setting_variable(EOWN_SETTING_pins, name);
  CHECK_STREQ("EOWN_PINS", name);
  eown_setting_variable(EOWN_SETTING_retry_budget_min_per_second, name);
  CHECK_STREQ("EOWN_RETRY_BUDGET_MIN_PER_SECOND", name);
  for (int i = 0; i < EOWN_SETTING_N; i++) {
    eown_setting_variable((eown_setting)i, name);
    CHECK_EQ(strlen(eown_setting_key((eown_setting)i)), strlen(name));
  }
}

EOWN_TEST(Settings, DefaultsAreTheDocumentedOnes) {
  eown_settings settings;
  memset(&settings, 0x5a, sizeof settings);
  eown_settings_init(&settings, NULL);
  CHECK_EQ(EOWN_MODE_OFF, settings.mode);
  CHECK_STREQ("", settings.service_name);
  CHECK_TRUE(settings.retry_budget_percent < 0);
  CHECK_NEAR(10, settings.retry_budget_min_per_second, 0);
  CHECK_TRUE(settings.send_pushback);
  CHECK_FALSE(settings.trust_boundary);
  CHECK_FALSE(settings.chain_stop);
  CHECK_FALSE(settings.own_unreachable);
  CHECK_STREQ("", settings.claim_key_alias);
  CHECK_EQ(eown_status_faults(), settings.faults);
  CHECK_NULL(settings.pins);
  eown_settings_clear(&settings);
}

EOWN_TEST(Settings, DefaultTextsReadAsTheDefaults) {
  eown_settings fresh, read;
  eown_settings_init(&fresh, NULL);
  eown_settings_init(&read, NULL);
  for (int i = 0; i < EOWN_SETTING_N; i++) {
    const char *text = eown_setting_default((eown_setting)i);
    if (*text == '\0')
      continue;
    TEST_TRACE("%s=%s", eown_setting_key((eown_setting)i), text);
    CHECK_EQ(EOWN_ERROR_OK,
             eown_settings_set(&read, eown_setting_key((eown_setting)i), text,
                               NULL, 0));
    check_same(&fresh, &read);
  }
  eown_settings_clear(&read);
  eown_settings_clear(&fresh);
}

static void check_value(const settings_value *row) {
  const char *key = eown_setting_key(row->setting);
  TEST_TRACE("%s=%s", key, row->value);
  eown_settings settings, fresh;
  eown_settings_init(&settings, NULL);
  eown_settings_init(&fresh, NULL);
  char message[512] = "";
  eown_error error =
      eown_settings_set(&settings, key, row->value, message, sizeof message);
  CHECK_EQ(row->good ? EOWN_ERROR_OK : EOWN_ERROR_INVALID_ARGUMENT, error);
  if (!row->good) {
    check_same(&fresh, &settings);
    CHECK_CONTAINS(key, message);
    CHECK_CONTAINS(row->value, message);
    if (row->setting != EOWN_SETTING_pins) /* has a sentence of its own */
      CHECK_CONTAINS(eown_setting_form(row->setting), message);
  }
  eown_settings_clear(&fresh);
  eown_settings_clear(&settings);
}

EOWN_TEST(Settings, EveryKeyWithGoodAndBadValues) {
  for (size_t i = 0; i < settings_values_count; i++)
    check_value(&settings_values[i]);
}

EOWN_TEST(Settings, EveryKeyHasGoodAndBadValues) {
  int good[EOWN_SETTING_N] = {0}, bad[EOWN_SETTING_N] = {0};
  for (size_t i = 0; i < settings_values_count; i++) {
    int *tally = settings_values[i].good ? good : bad;
    tally[settings_values[i].setting]++;
  }
  for (int i = 0; i < EOWN_SETTING_N; i++) {
    CHECK_LT(0, good[i]);
    CHECK_LT(0, bad[i]);
  }
}

static void set(eown_settings *settings, const char *key, const char *value) {
  char message[512] = "";
  TEST_TRACE("%s=%s", key, value);
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set(settings, key, value, message, sizeof message));
}

EOWN_TEST(Settings, ValuesArrive) {
  eown_settings settings;
  eown_settings_init(&settings, NULL);
  char pins[] = "*=fail-open";
  set(&settings, "eown.mode", "observe");
  set(&settings, "eown.service_name", NAME_108);
  set(&settings, "eown.retry_budget_percent", "12.5");
  set(&settings, "eown.retry_budget_min_per_second", "0.25");
  set(&settings, "eown.send_pushback", "0");
  set(&settings, "eown.trust_boundary", "1");
  set(&settings, "eown.chain_stop", "1");
  set(&settings, "eown.own_unreachable", "1");
  set(&settings, "eown.claim_key_alias", KEY_63);
  set(&settings, "eown.faults", "not_found,INTERNAL");
  set(&settings, "eown.pins", pins);
  memset(pins, 'x', sizeof pins - 1); /* copied */
  CHECK_EQ(EOWN_MODE_OBSERVE, settings.mode);
  CHECK_STREQ(NAME_108, settings.service_name);
  CHECK_NEAR(12.5, settings.retry_budget_percent, 0);
  CHECK_NEAR(0.25, settings.retry_budget_min_per_second, 0);
  CHECK_FALSE(settings.send_pushback);
  CHECK_TRUE(settings.trust_boundary);
  CHECK_TRUE(settings.chain_stop);
  CHECK_TRUE(settings.own_unreachable);
  CHECK_STREQ(KEY_63, settings.claim_key_alias);
  CHECK_EQ(1u << EOWN_STATUS_NOT_FOUND | 1u << EOWN_STATUS_INTERNAL,
           settings.faults);
  CHECK_STREQ("*=fail-open", settings.pins);
  set(&settings, "eown.retry_budget_percent", "-1");
  CHECK_TRUE(settings.retry_budget_percent < 0);
  eown_settings_clear(&settings);
}

EOWN_TEST(Settings, UnknownKeys) {
  static const char *const keys[] = {"",          "eown.",      "eown.nope",
                                     "mode",      "eown.modes", "eown.mod",
                                     "EOWN.mode", "grpc.mode",  "eown.mode "};
  eown_settings settings, fresh;
  eown_settings_init(&settings, NULL);
  eown_settings_init(&fresh, NULL);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    TEST_TRACE("key \"%s\"", keys[i]);
    char message[512] = "";
    CHECK_EQ(
        EOWN_ERROR_INVALID_ARGUMENT,
        eown_settings_set(&settings, keys[i], "1", message, sizeof message));
    CHECK_CONTAINS(keys[i], message);
    CHECK_LT(0, strlen(message));
    CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT,
             eown_settings_set_int(&settings, keys[i], 1, NULL, 0));
    check_same(&fresh, &settings);
  }
  eown_settings_clear(&fresh);
  eown_settings_clear(&settings);
}

EOWN_TEST(Settings, MessageKeepsItsSize) {
  static char longer[20000];
  memset(longer, 'v', sizeof longer - 1);
  eown_settings settings;
  eown_settings_init(&settings, NULL);
  for (int i = 0; i < EOWN_SETTING_N; i++)
    for (size_t size = 1; size < 700; size += size < 20 ? 1 : 97) {
      TEST_TRACE("%s, %zu bytes", eown_setting_key((eown_setting)i), size);
      char *message = malloc(size);
      REQUIRE_NOT_NULL(message);
      memset(message, 'x', size);
      CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT,
               eown_settings_set(&settings, eown_setting_key((eown_setting)i),
                                 longer, message, size));
      CHECK_NOT_NULL(memchr(message, '\0', size));
      free(message);
    }
  CHECK_EQ(EOWN_ERROR_INVALID_ARGUMENT,
           eown_settings_set(&settings, longer, "1", NULL, 0));
  eown_settings_clear(&settings);
}

EOWN_TEST(Settings, Integers) {
  static const struct {
    eown_setting setting;
    int value;
    bool good;
  } rows[] = {
      {EOWN_SETTING_mode, 0, true},
      {EOWN_SETTING_mode, 2, true},
      {EOWN_SETTING_mode, 3, false},
      {EOWN_SETTING_mode, -1, false},
      {EOWN_SETTING_retry_budget_percent, -1, true},
      {EOWN_SETTING_retry_budget_percent, 1000, true},
      {EOWN_SETTING_retry_budget_percent, 1001, false},
      {EOWN_SETTING_retry_budget_percent, -2, false},
      {EOWN_SETTING_retry_budget_min_per_second, 1000000, true},
      {EOWN_SETTING_retry_budget_min_per_second, -1, false},
      {EOWN_SETTING_retry_budget_min_per_second, INT_MAX, false},
      {EOWN_SETTING_send_pushback, 0, true},
      {EOWN_SETTING_send_pushback, 1, true},
      {EOWN_SETTING_send_pushback, 2, false},
      {EOWN_SETTING_trust_boundary, 1, true},
      {EOWN_SETTING_trust_boundary, -1, false},
      {EOWN_SETTING_chain_stop, 1, true},
      {EOWN_SETTING_chain_stop, INT_MIN, false},
      {EOWN_SETTING_own_unreachable, 1, true},
      {EOWN_SETTING_own_unreachable, INT_MAX, false},
      {EOWN_SETTING_faults, 14, false}, /* names, not numbers */
      {EOWN_SETTING_pins, 1, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *key = eown_setting_key(rows[i].setting);
    TEST_TRACE("%s=%d", key, rows[i].value);
    eown_settings settings, fresh;
    eown_settings_init(&settings, NULL);
    eown_settings_init(&fresh, NULL);
    char message[512] = "";
    CHECK_EQ(rows[i].good ? EOWN_ERROR_OK : EOWN_ERROR_INVALID_ARGUMENT,
             eown_settings_set_int(&settings, key, rows[i].value, message,
                                   sizeof message));
    if (!rows[i].good) {
      check_same(&fresh, &settings);
      CHECK_CONTAINS(key, message);
    }
    eown_settings_clear(&fresh);
    eown_settings_clear(&settings);
  }
}

EOWN_TEST(Settings, IntegersArrive) {
  eown_settings settings;
  eown_settings_init(&settings, NULL);
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set_int(&settings, "eown.mode", 2, NULL, 0));
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set_int(&settings, "eown.retry_budget_percent", 20,
                                 NULL, 0));
  CHECK_EQ(EOWN_ERROR_OK,
           eown_settings_set_int(&settings, "eown.send_pushback", 0, NULL, 0));
  CHECK_EQ(EOWN_MODE_ENFORCE, settings.mode);
  CHECK_NEAR(20, settings.retry_budget_percent, 0);
  CHECK_FALSE(settings.send_pushback);
  eown_settings_clear(&settings);
}
