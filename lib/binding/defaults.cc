// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eown/counters.h"
#include "log.h"

namespace eown {
namespace {

bool IsGood(eown_setting setting, const char *variable, const char *text) {
  eown_settings tried;
  eown_settings_init(&tried, nullptr);
  char message[512];
  eown_error error = eown_settings_set(&tried, eown_setting_key(setting), text,
                                       message, sizeof(message));
  eown_settings_clear(&tried);
  if (error == EOWN_ERROR_OK)
    return true;
  char line[640];
  snprintf(line, sizeof(line), "environment variable %s: %s; it is ignored",
           variable, message);
  eown_count(EOWN_COUNTER_bad_settings);
  LogError(line);
  return false;
}

// A copy: the program may change its environment meanwhile. Kept for good.
char *ReadOne(eown_setting setting) {
  char variable[EOWN_VARIABLE_MAX + 1];
  eown_setting_variable(setting, variable);
  const char *text = getenv(variable);
  bool given = text != nullptr && text[0] != '\0';
  return given && IsGood(setting, variable, text) ? strdup(text) : nullptr;
}

struct Defaults {
  Defaults() {
    for (int i = 0; i < EOWN_SETTING_N; i++)
      if (i != EOWN_SETTING_mode)
        texts[i] = ReadOne(static_cast<eown_setting>(i));
  }
  char *texts[EOWN_SETTING_N] = {}; // null: not set
};

} // namespace

void ApplyDefaults(eown_settings *settings) {
  static const Defaults defaults;
  for (int i = 0; i < EOWN_SETTING_N; i++) {
    const char *text = defaults.texts[i];
    const char *key = eown_setting_key(static_cast<eown_setting>(i));
    // It was good when it was read, so only memory may be missing.
    if (text != nullptr &&
        eown_settings_set(settings, key, text, nullptr, 0) != EOWN_ERROR_OK)
      eown_count(EOWN_COUNTER_no_memory);
  }
}

} // namespace eown
