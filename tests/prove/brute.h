/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PROVE_BRUTE_H
#define EOWN_TESTS_PROVE_BRUTE_H

#include "lab/prove/prove.h"

/* A second explorer, written from the text of the design: it plays call by
 * call, retry by retry, and looks at each invariant along the paths of errors.
 * It shares nothing with the first but the numbers of roll-outs and invariants.
 */
typedef struct brute_counts {
  uint64_t trees;
  uint64_t cases[LAB_ROLLOUT_N];
  uint64_t broken[LAB_INVARIANT_N][LAB_ROLLOUT_N];
} brute_counts;

void brute_explore(brute_counts *counts, int services, int attempts,
                   lab_retry_by by);

#endif /* EOWN_TESTS_PROVE_BRUTE_H */
