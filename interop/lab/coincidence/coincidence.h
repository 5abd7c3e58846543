/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_COINCIDENCE_H
#define EOWN_LAB_COINCIDENCE_H

#include "lab/base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_COINCIDENCE_CALLEES_MAX 8

/* The case: R calls A, with one retry; A carries on without its callees when
 * they fail, and fails by itself at a rate of its own. What A's errors have to
 * do with its callees is coincidence. */
typedef struct lab_coincidence {
  size_t callees;
  double
      callee_rate; /* at which a call to a callee fails, its retry included */
  double own_rate;
  bool memory;
  uint64_t learning; /* requests before those that count */
  uint64_t requests;
  size_t concurrency;
  uint64_t seed;
  const char *binary; /* of eown-node; borrowed */
} lab_coincidence;

/* What a phase brought. */
typedef struct lab_coincidence_phase {
  uint64_t own_errors;        /* of A */
  uint64_t wrongly_unclaimed; /* of these */
  uint64_t retries_lost;      /* that R would have made, and was told not to */
  uint64_t requests;
  uint64_t failed; /* of these, as R's caller sees it */
} lab_coincidence_phase;

typedef struct lab_coincidence_result {
  lab_coincidence_phase learning; /* with memory only */
  lab_coincidence_phase measured;
} lab_coincidence_result;

/* Fills in the published figures: two callees, 10 % each, memory on. */
void lab_coincidence_init(lab_coincidence *coincidence);

/* How many requests it takes to learn the callees: about 300 failures each. */
uint64_t lab_coincidence_learning(const lab_coincidence *coincidence);

/* Starts the nodes, drives both phases, stops the nodes. */
void lab_coincidence_run(const lab_coincidence *coincidence,
                         lab_progress *progress,
                         lab_coincidence_result *result);

double lab_coincidence_share(const lab_coincidence_phase *phase);
double lab_coincidence_availability(const lab_coincidence_phase *phase);

/* What the measured phase is to show. */
double lab_coincidence_share_expected(const lab_coincidence *coincidence);
double
lab_coincidence_availability_expected(const lab_coincidence *coincidence);

/* Says whether it does: without memory the expected share but for sampling,
 * with memory at most 0.5 %, and the availability that goes with it. */
bool lab_coincidence_passes(const lab_coincidence *coincidence,
                            const lab_coincidence_result *result);

/* Print the result as a table, or as one JSON object. */
void lab_coincidence_print_table(const lab_coincidence *coincidence,
                                 const lab_coincidence_result *result);
void lab_coincidence_print_json(const lab_coincidence *coincidence,
                                const lab_coincidence_result *result);

#endif /* EOWN_LAB_COINCIDENCE_H */
