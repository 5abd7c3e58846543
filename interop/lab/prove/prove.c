/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "prove.h"

static const bool must_hold[LAB_INVARIANT_N][LAB_ROLLOUT_N] = {
    [LAB_INVARIANT_RETRIED] = {true, true, true, true, true},
    [LAB_INVARIANT_EACH_RETRIED] = {[LAB_ROLLOUT_NOBODY] = true},
    [LAB_INVARIANT_LOAD] = {true, true, true, true, true},
    [LAB_INVARIANT_NEXT_TO_OWNER] = {[LAB_ROLLOUT_ALL] = true},
    [LAB_INVARIANT_GAPS] = {true, true, true, true, true},
    [LAB_INVARIANT_ONE_OWNER] =
        {[LAB_ROLLOUT_NOBODY] = true, [LAB_ROLLOUT_ALL] = true},
};

static lab_rollout rollout_of(const lab_case *of) {
  unsigned all = (1u << of->tree.services) - 1;
  if (of->eown == 0)
    return LAB_ROLLOUT_NOBODY;
  if (of->eown == all)
    return of->lost ? LAB_ROLLOUT_ALL_LOST : LAB_ROLLOUT_ALL;
  return of->lost ? LAB_ROLLOUT_SOME_LOST : LAB_ROLLOUT_SOME;
}

/* The fewer services, and then what is particular to them, the smaller. */
static unsigned weight_of(const lab_case *of) {
  unsigned all = (1u << of->tree.services) - 1;
  int bits = __builtin_popcount(of->failing) * 8 +
             __builtin_popcount(of->lost) * 8 +
             __builtin_popcount(all & ~(unsigned)of->eown) * 8 +
             __builtin_popcount(of->policy);
  return of->tree.services * 256 + (unsigned)bits;
}

static void note_broken(lab_finding *finding, const lab_case *of) {
  unsigned weight = weight_of(of);
  if (finding->broken++ > 0 && finding->weight <= weight)
    return;
  finding->weight = weight;
  finding->example = *of;
}

static void play(lab_proof *proof, const lab_case *of, const lab_rules *rules) {
  lab_world world;
  lab_rollout rollout = rollout_of(of);
  lab_world_play(&world, of, rules);
  proof->cases[rollout]++;
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    if (!lab_invariant_holds((lab_invariant)i, &world))
      note_broken(&proof->findings[i][rollout], of);
}

/* Steps through the subsets of `of`, from the empty one; false after the last.
 */
static bool next_subset(uint8_t *subset, unsigned of) {
  *subset = (uint8_t)((*subset - of) & of);
  return *subset != 0;
}

static void play_tree(lab_proof *proof, lab_case *of, const lab_rules *rules) {
  unsigned all = (1u << of->tree.services) - 1;
  of->failing = of->policy = of->eown = of->lost = 0;
  while (next_subset(&of->failing, all))
    do
      do
        do
          play(proof, of, rules);
        while (next_subset(&of->lost, of->eown & of->tree.callers));
      while (next_subset(&of->eown, all));
    while (next_subset(&of->policy, of->tree.callers));
}

void lab_prove_by(lab_proof *proof, unsigned services, unsigned attempts,
                  lab_retry_by by, const lab_rules *rules) {
  *proof =
      (lab_proof){.services = services, .attempts = attempts, .retry_by = by};
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    for (int j = 0; j < LAB_ROLLOUT_N; j++)
      proof->findings[i][j].must_hold = must_hold[i][j];
  for (unsigned n = 1; n <= services; n++) {
    lab_case of = {.attempts = attempts, .retry_by = by};
    lab_tree_first(&of.tree, n);
    do {
      proof->trees++;
      play_tree(proof, &of, rules);
    } while (lab_tree_next(&of.tree));
  }
}

void lab_prove(lab_proof *proof, unsigned services, unsigned attempts,
               const lab_rules *rules) {
  lab_prove_by(proof, services, attempts, LAB_RETRY_BY_GRPC, rules);
}

uint64_t lab_proof_cases(const lab_proof *proof) {
  uint64_t cases = 0;
  for (int i = 0; i < LAB_ROLLOUT_N; i++)
    cases += proof->cases[i];
  return cases;
}

bool lab_proof_holds(const lab_proof *proof) {
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    for (int j = 0; j < LAB_ROLLOUT_N; j++)
      if (proof->findings[i][j].must_hold && proof->findings[i][j].broken > 0)
        return false;
  return true;
}

const char *lab_rollout_name(lab_rollout rollout) {
  static const char *const names[LAB_ROLLOUT_N] = {
      [LAB_ROLLOUT_NOBODY] = "nobody",
      [LAB_ROLLOUT_SOME] = "some",
      [LAB_ROLLOUT_SOME_LOST] = "some, context lost",
      [LAB_ROLLOUT_ALL] = "everybody",
      [LAB_ROLLOUT_ALL_LOST] = "everybody, context lost",
  };
  return names[rollout];
}
