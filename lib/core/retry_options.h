/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_RETRY_OPTIONS_H
#define EOWN_RETRY_OPTIONS_H

#include "eown/retry.h"

#define EOWN__MULTIPLIER_MAX 1000.0
#define EOWN__ALL_CODES ((1u << EOWN_STATUS_N) - 1)

static inline bool eown__within(int64_t value, int64_t least, int64_t most) {
  return value >= least && value <= most;
}

/* What a loop asks at every start, so without a message. A multiplier that is
 * no number at all is not good either. */
static inline bool eown__retry_options_good(const eown_retry_options *options) {
  return eown__within(options->max_attempts, 1, EOWN_RETRY_ATTEMPTS_MAX) &&
         options->codes <= EOWN__ALL_CODES &&
         eown__within(options->initial_backoff_ms, 0, EOWN_RETRY_WAIT_MAX_MS) &&
         eown__within(options->max_backoff_ms, 0, EOWN_RETRY_WAIT_MAX_MS) &&
         options->backoff_multiplier >= 1 &&
         options->backoff_multiplier <= EOWN__MULTIPLIER_MAX &&
         eown__within((int64_t)options->mode, EOWN_MODE_OFF, EOWN_MODE_ENFORCE);
}

#endif /* EOWN_RETRY_OPTIONS_H */
