/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROVE_H
#define EOWN_LAB_PROVE_H

#include "invariants.h"

#include <stdbool.h>
#include <stdint.h>

/* Who runs eown, and whether some context is lost. */
typedef enum lab_rollout {
  LAB_ROLLOUT_NOBODY,
  LAB_ROLLOUT_SOME,
  LAB_ROLLOUT_SOME_LOST,
  LAB_ROLLOUT_ALL,
  LAB_ROLLOUT_ALL_LOST,
  LAB_ROLLOUT_N
} lab_rollout;

/* What was found of one invariant in one roll-out. */
typedef struct lab_finding {
  uint64_t broken;  /* cases */
  bool must_hold;   /* by the design */
  lab_case example; /* the smallest case that breaks it, where one does */
  unsigned weight;  /* of the example: what is particular to it */
} lab_finding;

/* The result of an exploration: a plain value. */
typedef struct lab_proof {
  unsigned services;
  unsigned attempts;
  lab_retry_by retry_by;
  uint64_t trees;
  uint64_t cases[LAB_ROLLOUT_N];
  lab_finding findings[LAB_INVARIANT_N][LAB_ROLLOUT_N];
} lab_proof;

/* Plays every case of up to `services` (1 to LAB_TREE_MAX) services:
 *   - every call tree, of those alike but for the order of callees one;
 *   - every set of failing services but the empty one;
 *   - every set of callers that may retry, of `attempts` (2 to 5);
 *   - every set of services with eown;
 *   - every set of callers with eown that lose the inbound context.
 * Cases that differ only by a symmetry of the tree are counted apart. */
void lab_prove(lab_proof *proof, unsigned services, unsigned attempts,
               const lab_rules *rules);

/* The same where the attempts are made so; lab_prove: by gRPC. */
void lab_prove_by(lab_proof *proof, unsigned services, unsigned attempts,
                  lab_retry_by by, const lab_rules *rules);

/* All cases, and whether every invariant holds that has to. */
uint64_t lab_proof_cases(const lab_proof *proof);
bool lab_proof_holds(const lab_proof *proof);

/* "everybody", and the longer "everybody, context lost"; static text. */
const char *lab_rollout_name(lab_rollout rollout);

/* Prints the result: tables and counterexamples, or one JSON object. Worlds of
 * counterexamples are played again by `rules`. */
void lab_proof_print(const lab_proof *proof, const lab_rules *rules);
void lab_proof_print_json(const lab_proof *proof, const lab_rules *rules);

/* Returns the case drawn as a tree, a line for each service; the caller owns
 * the text. */
char *lab_case_draw(const lab_case *of, const lab_rules *rules);

#endif /* EOWN_LAB_PROVE_H */
