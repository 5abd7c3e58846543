/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_CHAIN_H
#define EOWN_TESTS_E2E_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

/* A node's counter that must equal the calls that the node served. */
typedef struct e2e_count {
  char node;
  const char *path; /* such as "eown.context_drops" */
} e2e_count;

/* What must hold of a chain A, B, C, D whose last node always fails. One letter
 * or digit for each node, A first. With K attempts per call:
 * - `served`: a digit d stands for K^d calls per root request, '+' for 1.1
 *   (±2 %), '-' for none: the node was killed;
 * - `says`: the claim that the node sends with every call it serves: 'c'
 *   claimed, 'u' unclaimed, '-' none;
 * - `stops`: 's' where each call served has retries stopped as unclaimed: one,
 *   or in mode observe all K - 1 that were made. */
typedef struct e2e_row {
  const char *name;
  const char *options[8];
  const char *served;
  const char *says;
  const char *stops;
  const char *claim; /* as the caller of A reads it */
  const char *owner; /* NULL: no claim */
  int hops;
  bool observes;
  const char *status; /* that the root gets; NULL: that of the failing node */
  e2e_count counts[3];
  bool counts_calls;  /* each is of the callee's calls, of which a loop makes
                         all its attempts */
  const char *looped; /* `served` where loops retry; NULL: the same */
} e2e_row;

extern const e2e_row e2e_rows[];
extern const size_t e2e_rows_n;

/* The same row under other conditions. */
typedef struct e2e_variant {
  const char *name;
  const char *options[8];
  int attempts;       /* 0: two */
  const char *status; /* NULL: UNAVAILABLE */
  bool loops;         /* the callers' own loops retry */
} e2e_variant;

/* Finds a row by its name; it must be there. */
const e2e_row *e2e_row_find(const char *name);

/* Runs the row under the variant and checks all that the row says. */
void e2e_row_check(const e2e_row *row, const e2e_variant *variant);

/* How many root requests a run makes: fewer under a sanitizer. */
unsigned e2e_requests(void);

#endif /* EOWN_TESTS_E2E_CHAIN_H */
