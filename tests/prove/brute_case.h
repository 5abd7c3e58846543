/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PROVE_BRUTE_CASE_H
#define EOWN_TESTS_PROVE_BRUTE_CASE_H

#include "lab/prove/prove.h"

#include <stdbool.h>

#define BRUTE_MAX 5

/* One case, a member for each service. */
typedef struct brute_fleet {
  int services;
  int attempts;
  bool policies, loops; /* who retries */
  int caller[BRUTE_MAX];
  bool fails[BRUTE_MAX], policy[BRUTE_MAX], eown[BRUTE_MAX], lost[BRUTE_MAX];
} brute_fleet;

typedef enum brute_word { NO_WORD, CLAIMS, UNCLAIMS } brute_word;

/* What was seen while the calls were played. */
typedef struct brute_seen {
  int load[BRUTE_MAX];
  bool failed[BRUTE_MAX];
  bool retried[BRUTE_MAX]; /* its caller called it again */
  int most[BRUTE_MAX];     /* attempts at it for one call of its caller */
  brute_word said[BRUTE_MAX];
} brute_seen;

/* Plays a request from the root; `stock`: nobody has eown. */
void brute_play(const brute_fleet *of, bool stock, brute_seen *seen);

/* Says whether what was seen, beside what stock would be like, breaks the
 * invariant. */
bool brute_breaks(lab_invariant invariant, const brute_fleet *of,
                  const brute_seen *with, const brute_seen *without);

#endif /* EOWN_TESTS_PROVE_BRUTE_CASE_H */
