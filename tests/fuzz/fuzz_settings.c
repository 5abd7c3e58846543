/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Settings as text: one "key value" a line; "#" before the key for the integer
 * form. */
#include "eown/settings.h"

#include "fuzz.h"

#include <string.h>

static void check_sane(const eown_settings *settings) {
  FUZZ_ASSERT(settings->mode < EOWN_MODE_N);
  FUZZ_ASSERT(memchr(settings->service_name, 0, EOWN_OWNER_MAX + 1));
  FUZZ_ASSERT(memchr(settings->claim_key_alias, 0, EOWN_ALIAS_MAX + 1));
  FUZZ_ASSERT(settings->retry_budget_percent >= -1);
  FUZZ_ASSERT(settings->retry_budget_percent <= 1000);
  FUZZ_ASSERT(settings->retry_budget_min_per_second >= 0);
  FUZZ_ASSERT(settings->retry_budget_min_per_second <= 1000000);
  FUZZ_ASSERT(settings->faults < 1u << EOWN_STATUS_N);
}

static void set_line(eown_settings *settings, char *line) {
  char message[80];
  char *value = strchr(line, ' ');
  eown_error error;
  if (value)
    *value++ = '\0';
  else
    value = line + strlen(line);
  message[0] = '\0';
  if (line[0] == '#') {
    int number = (int)strtol(value, NULL, 10);
    error = eown_settings_set_int(settings, line + 1, number, message,
                                  sizeof message);
  } else {
    error = eown_settings_set(settings, line, value, message, sizeof message);
  }
  FUZZ_ASSERT(memchr(message, 0, sizeof message));
  FUZZ_ASSERT(error == EOWN_ERROR_OK || message[0] != '\0');
  check_sane(settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eown_settings settings;
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = '\0';
  eown_settings_init(&settings, NULL);
  for (char *line = text, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    set_line(&settings, line);
  }
  eown_settings_clear(&settings);
  free(text);
  return 0;
}
