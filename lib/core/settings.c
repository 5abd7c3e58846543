/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/settings.h"

#include "eown/memory_table.h"
#include "eown/pins.h"

#include <stdio.h>
#include <string.h>

#include "allocate.h"
#include "settings_readers.h"

/* --- descriptions -----------------------------------------------------------
 */

typedef struct description {
  const char *key;
  const char *value;
  const char *form;
  const char *text;
} description;

static const description descriptions[EOWN_SETTING_N] = {
#define EOWN_SETTING_ROW(name, value, form, text)                              \
  [EOWN_SETTING_##name] = {"eown." #name, value, form, text},
    EOWN_SETTING_LIST(EOWN_SETTING_ROW)
#undef EOWN_SETTING_ROW
};

const char *eown_setting_key(eown_setting setting) {
  return descriptions[setting].key;
}

void eown_setting_variable(eown_setting setting,
                           char name[EOWN_VARIABLE_MAX + 1]) {
  const char *key = descriptions[setting].key;
  size_t i = 0;
  for (; key[i] != '\0' && i < EOWN_VARIABLE_MAX; i++) {
    bool small = key[i] >= 'a' && key[i] <= 'z';
    name[i] = small ? (char)(key[i] - 'a' + 'A') : key[i];
    if (key[i] == '.')
      name[i] = '_';
  }
  name[i] = '\0';
}

const char *eown_setting_form(eown_setting setting) {
  return descriptions[setting].form;
}

const char *eown_setting_text(eown_setting setting) {
  return descriptions[setting].text;
}

const char *eown_setting_default(eown_setting setting) {
  return descriptions[setting].value;
}

/* --- settings ---------------------------------------------------------------
 */

void eown_settings_init(eown_settings *settings,
                        const eown_allocator *allocator) {
  memset(settings, 0, sizeof(*settings));
  settings->mode = EOWN_MODE_OFF;
  settings->retry_budget_percent = -1;
  settings->retry_budget_min_per_second = 10;
  settings->send_pushback = true;
  settings->faults = eown_status_faults();
  settings->memory = true;
  settings->memory_edges = EOWN_MEMORY_EDGES_DEFAULT;
  settings->memory_half_life_ms = EOWN_MEMORY_HALF_LIFE_DEFAULT_MS;
  settings->memory_file_interval_ms = 60000;
  settings->memory_redis_interval_ms = 5000;
  settings->allocator = allocator;
}

void eown_settings_clear(eown_settings *settings) {
  char **owned[] = {&settings->pins, &settings->memory_file,
                    &settings->memory_redis};
  for (size_t i = 0; i < sizeof(owned) / sizeof(*owned); i++) {
    eown__release(settings->allocator, *owned[i]);
    *owned[i] = NULL;
  }
}

static unsigned find(const char *key) {
  unsigned i = 0;
  while (i < EOWN_SETTING_N && strcmp(descriptions[i].key, key) != 0)
    i++;
  return i;
}

static eown_error unknown_key(const char *key, const char *value, char *message,
                              size_t size) {
  if (message != NULL)
    snprintf(message, size,
             "unknown setting \"%.64s\" (value \"%.128s\"): expected one of "
             "the eown.* settings, for example eown.mode",
             key, value);
  return EOWN_ERROR_INVALID_ARGUMENT;
}

static void explain(unsigned setting, eown_error error, const char *value,
                    char *message, size_t size) {
  const description *d = &descriptions[setting];
  char pin[256] = "";
  if (setting == EOWN_SETTING_pins)
    eown_pins_check(value, pin, sizeof(pin));
  if (error == EOWN_ERROR_NO_MEMORY)
    snprintf(message, size, "%s: out of memory for \"%.128s\"", d->key, value);
  else
    snprintf(message, size, "%s: \"%.128s\" is not valid: expected %s%s%s",
             d->key, value, d->form, pin[0] == '\0' ? "" : "; ", pin);
}

eown_error eown_settings_set(eown_settings *settings, const char *key,
                             const char *value, char *message, size_t size) {
  eown__assignment a = {settings, value};
  unsigned setting = find(key);
  if (setting == EOWN_SETTING_N)
    return unknown_key(key, value, message, size);
  eown_error error = eown__settings_read((eown_setting)setting, &a);
  if (error != EOWN_ERROR_OK && message != NULL)
    explain(setting, error, value, message, size);
  return error;
}

eown_error eown_settings_set_int(eown_settings *settings, const char *key,
                                 int value, char *message, size_t size) {
  char text[16];
  snprintf(text, sizeof(text), "%d", value);
  return eown_settings_set(settings, key, text, message, size);
}
