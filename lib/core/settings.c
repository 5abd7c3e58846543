/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/settings.h"

#include "eown/memory.h"

#include <locale.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"

/* --- modes -----------------------------------------------------------------
 */

static _Atomic int mode_override = EOWN_MODE_N;

static const char *const mode_names[EOWN_MODE_N] = {
    [EOWN_MODE_OFF] = "off",
    [EOWN_MODE_OBSERVE] = "observe",
    [EOWN_MODE_ENFORCE] = "enforce",
};

const char *eown_mode_name(eown_mode mode) {
  return (unsigned)mode < EOWN_MODE_N ? mode_names[mode] : "unknown";
}

bool eown_mode_parse(const char *text, eown_mode *mode) {
  for (int i = 0; i < EOWN_MODE_N; i++) {
    char number[2] = {(char)('0' + i), '\0'};
    if (strcmp(text, mode_names[i]) == 0 || strcmp(text, number) == 0) {
      *mode = (eown_mode)i;
      return true;
    }
  }
  return false;
}

void eown_mode_override(eown_mode mode) {
  atomic_store_explicit(&mode_override, (int)mode, memory_order_relaxed);
}

eown_mode eown_mode_effective(eown_mode own) {
  int mode = atomic_load_explicit(&mode_override, memory_order_relaxed);
  return mode == EOWN_MODE_N ? own : (eown_mode)mode;
}

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

const char *eown_setting_form(eown_setting setting) {
  return descriptions[setting].form;
}

const char *eown_setting_text(eown_setting setting) {
  return descriptions[setting].text;
}

const char *eown_setting_default(eown_setting setting) {
  return descriptions[setting].value;
}

/* --- readers: each reads a value into its place, or refuses -----------------
 */

typedef struct assignment {
  eown_settings *settings;
  const char *value;
  char *message;
  size_t size;
} assignment;

static eown_error given(bool good) {
  return good ? EOWN_ERROR_OK : EOWN_ERROR_INVALID_ARGUMENT;
}

static eown_error read_mode(assignment *a) {
  return given(eown_mode_parse(a->value, &a->settings->mode));
}

static bool is_printable(const char *text, size_t most) {
  size_t length = 0;
  while (text[length] >= ' ' && text[length] <= '~')
    length++;
  return text[length] == '\0' && length >= 1 && length <= most;
}

static eown_error read_service_name(assignment *a) {
  if (!is_printable(a->value, EOWN_OWNER_MAX))
    return EOWN_ERROR_INVALID_ARGUMENT;
  strcpy(a->settings->service_name, a->value);
  return EOWN_ERROR_OK;
}

static bool read_number(const char *text, double most, double *number) {
  if (text[0] == '\0' || text[strspn(text, "0123456789.")] != '\0')
    return false;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return false;
  char *end;
  double read = strtod_l(text, &end, plain);
  freelocale(plain);
  if (*end != '\0' || !(read >= 0 && read <= most))
    return false;
  *number = read;
  return true;
}

static eown_error read_percent(assignment *a) {
  double *percent = &a->settings->retry_budget_percent;
  if (strcmp(a->value, "-1") == 0) {
    *percent = -1;
    return EOWN_ERROR_OK;
  }
  return given(read_number(a->value, 1000, percent));
}

static eown_error read_floor(assignment *a) {
  return given(
      read_number(a->value, 1e6, &a->settings->retry_budget_min_per_second));
}

static eown_error read_flag(const char *text, bool *flag) {
  if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return EOWN_ERROR_INVALID_ARGUMENT;
  *flag = text[0] == '1';
  return EOWN_ERROR_OK;
}

static eown_error read_pushback(assignment *a) {
  return read_flag(a->value, &a->settings->send_pushback);
}

static eown_error read_boundary(assignment *a) {
  return read_flag(a->value, &a->settings->trust_boundary);
}

static eown_error read_chain(assignment *a) {
  return read_flag(a->value, &a->settings->chain_stop);
}

static eown_error read_unreachable(assignment *a) {
  return read_flag(a->value, &a->settings->own_unreachable);
}

/* A metadata key as gRPC allows it for text, that is nobody else's. */
static bool is_key(const char *key) {
  size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-_.");
  if (length == 0 || length > EOWN_ALIAS_MAX || key[length] != '\0')
    return false;
  bool binary = length >= 4 && strcmp(key + length - 4, "-bin") == 0;
  return !binary && strncmp(key, "grpc-", 5) != 0 &&
         strcmp(key, EOWN_CLAIM_KEY) != 0 &&
         strcmp(key, EOWN_RETRY_MARK_KEY) != 0;
}

static eown_error read_alias(assignment *a) {
  if (!is_key(a->value))
    return EOWN_ERROR_INVALID_ARGUMENT;
  strcpy(a->settings->claim_key_alias, a->value);
  return EOWN_ERROR_OK;
}

static eown_error read_faults(assignment *a) {
  eown_status_set set = 0;
  const char *rest = a->value;
  for (;;) {
    size_t length = strcspn(rest, ",");
    eown_status status;
    if (!eown_status_parse(rest, length, &status) || status == EOWN_STATUS_OK)
      return EOWN_ERROR_INVALID_ARGUMENT;
    set |= 1u << status;
    if (rest[length] == '\0')
      break;
    rest += length + 1;
  }
  a->settings->faults = set;
  return EOWN_ERROR_OK;
}

static eown_error read_pins(assignment *a) {
  eown_settings *settings = a->settings;
  if (a->value[0] == '\0' || !eown_pins_check(a->value, NULL, 0))
    return EOWN_ERROR_INVALID_ARGUMENT;
  size_t size = strlen(a->value) + 1;
  char *pins = eown__allocate(settings->allocator, size);
  if (pins == NULL)
    return EOWN_ERROR_NO_MEMORY;
  memcpy(pins, a->value, size);
  eown__release(settings->allocator, settings->pins);
  settings->pins = pins;
  return EOWN_ERROR_OK;
}

static eown_error (*const readers[EOWN_SETTING_N])(assignment *) = {
    [EOWN_SETTING_mode] = read_mode,
    [EOWN_SETTING_service_name] = read_service_name,
    [EOWN_SETTING_retry_budget_percent] = read_percent,
    [EOWN_SETTING_retry_budget_min_per_second] = read_floor,
    [EOWN_SETTING_send_pushback] = read_pushback,
    [EOWN_SETTING_trust_boundary] = read_boundary,
    [EOWN_SETTING_claim_key_alias] = read_alias,
    [EOWN_SETTING_chain_stop] = read_chain,
    [EOWN_SETTING_own_unreachable] = read_unreachable,
    [EOWN_SETTING_faults] = read_faults,
    [EOWN_SETTING_pins] = read_pins,
};

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
  settings->allocator = allocator;
}

void eown_settings_clear(eown_settings *settings) {
  eown__release(settings->allocator, settings->pins);
  settings->pins = NULL;
}

static unsigned find(const char *key) {
  unsigned i = 0;
  while (i < EOWN_SETTING_N && strcmp(descriptions[i].key, key) != 0)
    i++;
  return i;
}

static eown_error unknown_key(const assignment *a, const char *key) {
  if (a->message != NULL)
    snprintf(a->message, a->size,
             "unknown setting \"%.64s\" (value \"%.128s\"): expected one of "
             "the eown.* settings, for example eown.mode",
             key, a->value);
  return EOWN_ERROR_INVALID_ARGUMENT;
}

static void explain(const assignment *a, unsigned setting, eown_error error) {
  const description *d = &descriptions[setting];
  char pin[256] = "";
  if (setting == EOWN_SETTING_pins)
    eown_pins_check(a->value, pin, sizeof(pin));
  if (error == EOWN_ERROR_NO_MEMORY)
    snprintf(a->message, a->size, "%s: out of memory for \"%.128s\"", d->key,
             a->value);
  else
    snprintf(a->message, a->size,
             "%s: \"%.128s\" is not valid: expected %s%s%s", d->key, a->value,
             d->form, pin[0] == '\0' ? "" : "; ", pin);
}

eown_error eown_settings_set(eown_settings *settings, const char *key,
                             const char *value, char *message, size_t size) {
  assignment a = {settings, value, message, size};
  unsigned setting = find(key);
  if (setting == EOWN_SETTING_N)
    return unknown_key(&a, key);
  eown_error error = readers[setting](&a);
  if (error != EOWN_ERROR_OK && message != NULL)
    explain(&a, setting, error);
  return error;
}

eown_error eown_settings_set_int(eown_settings *settings, const char *key,
                                 int value, char *message, size_t size) {
  char text[16];
  snprintf(text, sizeof(text), "%d", value);
  return eown_settings_set(settings, key, text, message, size);
}
