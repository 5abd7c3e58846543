/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "retry_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void eown_retry_options_init(eown_retry_options *options) {
  memset(options, 0, sizeof(*options));
  options->max_attempts = 3;
  options->codes = 1u << EOWN_STATUS_UNAVAILABLE;
  options->initial_backoff_ms = 100;
  options->max_backoff_ms = 1000;
  options->backoff_multiplier = 2;
  options->mode = EOWN_MODE_ENFORCE;
}

/* A whole number and its bounds. */
typedef struct bounded {
  const char *name;
  int64_t value;
  int64_t least;
  int64_t most;
} bounded;

static void describe(const eown_retry_options *options, char *message,
                     size_t size) {
  const bounded items[] = {
      {"max_attempts", options->max_attempts, 1, EOWN_RETRY_ATTEMPTS_MAX},
      {"codes", options->codes, 0, EOWN__ALL_CODES},
      {"initial_backoff_ms", options->initial_backoff_ms, 0,
       EOWN_RETRY_WAIT_MAX_MS},
      {"max_backoff_ms", options->max_backoff_ms, 0, EOWN_RETRY_WAIT_MAX_MS},
      {"mode", (int64_t)options->mode, EOWN_MODE_OFF, EOWN_MODE_ENFORCE},
  };
  for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
    const bounded *item = &items[i];
    if (eown__within(item->value, item->least, item->most))
      continue;
    snprintf(message, size,
             "%s: got %" PRId64 ", expected a whole number from %" PRId64
             " to %" PRId64,
             item->name, item->value, item->least, item->most);
    return;
  }
  snprintf(message, size,
           "backoff_multiplier: got %g, expected a number from 1 to %g",
           options->backoff_multiplier, EOWN__MULTIPLIER_MAX);
}

eown_error eown_retry_options_check(const eown_retry_options *options,
                                    char *message, size_t size) {
  if (eown__retry_options_good(options))
    return EOWN_ERROR_OK;
  if (message != NULL)
    describe(options, message, size);
  return EOWN_ERROR_INVALID_ARGUMENT;
}
