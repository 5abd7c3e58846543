/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "values.h"

#include <eown/settings.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *at(options *options, const place *place) {
  return (char *)options + place->offset;
}

static bool parse_number(const char *text, uint64_t min, uint64_t max,
                         uint64_t *number) {
  if (text[strspn(text, "0123456789")] != '\0' || text[0] == '\0')
    return false;
  errno = 0;
  *number = strtoull(text, NULL, 10);
  return errno == 0 && *number >= min && *number <= max;
}

/* The index of `value` among `n` names, or n. */
static size_t find_name(const char *const *names, size_t n, const char *value) {
  size_t i = 0;
  while (i < n && strcmp(names[i], value) != 0)
    i++;
  return i;
}

static bool is_name(const char *text, size_t length) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return length > 0 && length <= NAME_MAX_LENGTH &&
         strspn(text, allowed) >= length;
}

static bool is_address(const char *text, uint64_t lowest_port) {
  const char *colon = strrchr(text, ':');
  uint64_t port;
  return colon != NULL && colon != text &&
         parse_number(colon + 1, lowest_port, 65535, &port);
}

const char *take_flag(options *options, const place *place, const char *value) {
  (void)value;
  *(bool *)at(options, place) = true;
  return NULL;
}

const char *take_text(options *options, const place *place, const char *value) {
  *(const char **)at(options, place) = value;
  return value[0] != '\0' ? NULL : "a text that is not empty";
}

const char *take_name(options *options, const place *place, const char *value) {
  (void)place;
  options->name = value;
  return is_name(value, strlen(value))
             ? NULL
             : "1 to 63 letters, digits, '-', '_' or '.'";
}

const char *take_address(options *options, const place *place,
                         const char *value) {
  (void)place;
  options->listen = value;
  return is_address(value, 0) ? NULL : "HOST:PORT with a port from 0 to 65535";
}

const char *take_number(options *options, const place *place,
                        const char *value) {
  uint64_t number;
  if (parse_number(value, place->min, place->max, &number)) {
    *(uint64_t *)at(options, place) = number;
    return NULL;
  }
  snprintf(options->complaint, sizeof options->complaint,
           "a whole number from %" PRIu64 " to %" PRIu64, place->min,
           place->max);
  return options->complaint;
}

const char *take_pushback(options *options, const place *place,
                          const char *value) {
  options->has_pushback = true;
  return take_number(options, place, value);
}

const char *take_rate(options *options, const place *place, const char *value) {
  (void)place;
  char *end;
  double rate = strtod(value, &end);
  if (end == value || *end != '\0' || !(rate >= 0.0 && rate <= 1.0))
    return "a number from 0 to 1";
  options->fail_rate = rate;
  return NULL;
}

const char *take_status(options *options, const place *place,
                        const char *value) {
  (void)place;
  if (eown_status_parse(value, strlen(value), &options->fail_status) &&
      options->fail_status != EOWN_STATUS_OK)
    return NULL;
  return "the name of a gRPC status code other than OK, such as UNAVAILABLE";
}

const char *take_codes(options *options, const place *place,
                       const char *value) {
  (void)place;
  options->retry_codes = 0;
  for (const char *code = value;; code++) {
    size_t length = strcspn(code, ",");
    eown_status status;
    if (!eown_status_parse(code, length, &status) || status == EOWN_STATUS_OK)
      return "names of gRPC status codes other than OK, separated by commas";
    options->retry_codes |= (eown_status_set)1 << status;
    code += length;
    if (*code == '\0')
      return NULL;
  }
}

const char *take_context(options *options, const place *place,
                         const char *value) {
  static const char *const names[CONTEXT_WAY_N] = {
      [CONTEXT_PARENT] = "parent",
      [CONTEXT_THREAD] = "thread",
      [CONTEXT_EXPLICIT] = "explicit",
      [CONTEXT_NONE] = "none",
  };
  (void)place;
  options->context = (context_way)find_name(names, CONTEXT_WAY_N, value);
  return options->context < CONTEXT_WAY_N ? NULL
                                          : "parent, thread, explicit or none";
}

const char *take_retry_by(options *options, const place *place,
                          const char *value) {
  static const char *const names[] = {"grpc", "application", "both"};
  (void)place;
  size_t found = find_name(names, RETRY_BY_BOTH, value);
  options->retry_by = (retry_by)(found + 1);
  return found < RETRY_BY_BOTH ? NULL : "grpc, application or both";
}

static const char *const ownership_names[OWNERSHIP_N] = {
    [OWNERSHIP_STOCK] = "stock",
    [OWNERSHIP_OFF] = "off",
    [OWNERSHIP_OBSERVE] = "observe",
    [OWNERSHIP_ENFORCE] = "enforce",
};

const char *ownership_name(ownership ownership) {
  return ownership_names[ownership];
}

const char *take_ownership(options *options, const place *place,
                           const char *value) {
  (void)place;
  options->ownership =
      (ownership)find_name(ownership_names, OWNERSHIP_N, value);
  return options->ownership < OWNERSHIP_N ? NULL
                                          : "stock, off, observe or enforce";
}

/* Reads "HOST:PORT" or "HOST:PORT,fail-open". */
static bool parse_target(callee_option *callee, const char *text) {
  size_t length = strcspn(text, ",");
  if (length >= sizeof callee->target)
    return false;
  memcpy(callee->target, text, length);
  callee->target[length] = '\0';
  callee->fail_open = strcmp(text + length, ",fail-open") == 0;
  return is_address(callee->target, 1) &&
         (callee->fail_open || text[length] == '\0');
}

const char *take_callee(options *options, const place *place,
                        const char *value) {
  (void)place;
  if (options->callees_n == CALLEES_MAX)
    return "at most 128 callees";
  callee_option *callee = &options->callees[options->callees_n];
  size_t length = strcspn(value, "=");
  if (!is_name(value, length) || value[length] != '=' ||
      !parse_target(callee, value + length + 1))
    return "NAME=HOST:PORT or NAME=HOST:PORT,fail-open";
  memcpy(callee->name, value, length);
  callee->name[length] = '\0';
  options->callees_n++;
  return NULL;
}

static bool is_good(const setting_option *setting) {
  eown_settings scratch;
  eown_settings_init(&scratch, NULL);
  eown_error error =
      eown_settings_set(&scratch, setting->key, setting->value, NULL, 0);
  eown_settings_clear(&scratch);
  return error == EOWN_ERROR_OK;
}

static const char *form_of(const char *key) {
  for (int i = 0; i < EOWN_SETTING_N; i++)
    if (strcmp(eown_setting_key((eown_setting)i), key) == 0)
      return eown_setting_form((eown_setting)i);
  return "KEY to be one of eown's settings, such as chain_stop";
}

const char *take_setting(options *options, const place *place,
                         const char *value) {
  if (options->settings_n == SETTINGS_MAX)
    return "at most 64 settings";
  setting_option *setting = &options->settings[options->settings_n];
  size_t length = strcspn(value, "=");
  if (length == 0 || length > 48 || value[length] != '=')
    return "KEY=VALUE, such as chain_stop=1";
  setting->side = (side)place->min;
  snprintf(setting->key, sizeof setting->key, "eown.%.*s", (int)length, value);
  setting->value = value + length + 1;
  options->settings_n++;
  return is_good(setting) ? NULL : form_of(setting->key);
}
