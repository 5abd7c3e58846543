/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_MODE_H
#define EOWN_LAB_RADIUS_MODE_H

#include "eown/rules.h"

#include <stdbool.h>
#include <stdint.h>

/* What a caller does about a callee's error. */
typedef struct radius_answer {
  bool repeats;       /* it calls again, as its retry policy says */
  eown_reason reason; /* what the error is to its own, where it runs eown */
} radius_answer;

/* How the services of a graph deal with errors. */
typedef struct radius_mode {
  double repeats;   /* calls made again for each call that fails */
  bool nested;      /* a request that is itself a retry is retried too */
  bool everywhere;  /* all services run eown */
  const bool *eown; /* those that do, by name; NULL: none; borrowed */
  radius_answer answers[EOWN_CLAIM_N][2][2]; /* [claim][no retry][fail-open] */
} radius_mode;

/* Asks the core for its decisions. `attempts` is of each call, the first
 * included. A claim is read by a caller without eown too: with an unclaimed
 * error goes a negative pushback, which stops every gRPC client. */
void radius_mode_init(radius_mode *mode, unsigned attempts);

/* Under a retry budget of `share` retries for each call. */
void radius_mode_limit(radius_mode *mode, double share);

/* With chain stop on every channel. */
void radius_mode_stop_chains(radius_mode *mode);

/* The claim that the service with the number `name` sends with an error of its
 * own for `reason`; MISSING where it does not run eown. */
eown_claim radius_mode_claim(const radius_mode *mode, uint32_t name,
                             eown_reason reason);

#endif /* EOWN_LAB_RADIUS_MODE_H */
