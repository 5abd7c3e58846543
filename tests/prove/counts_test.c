/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The explorer's counts against those of a second one. */
#include "brute.h"

#include "gtest_c.h"

static void check_counts(unsigned services, unsigned attempts,
                         lab_retry_by by) {
  TEST_TRACE("%u services, %u attempts by %s", services, attempts,
             lab_retry_by_names[by]);
  lab_proof proof;
  brute_counts counts;
  lab_prove_by(&proof, services, attempts, by, &lab_rules_core);
  brute_explore(&counts, (int)services, (int)attempts, by);
  CHECK_EQ(counts.trees, proof.trees);
  for (int j = 0; j < LAB_ROLLOUT_N; j++) {
    TEST_TRACE("%s", lab_rollout_name((lab_rollout)j));
    CHECK_EQ(counts.cases[j], proof.cases[j]);
    for (int i = 0; i < LAB_INVARIANT_N; i++) {
      TEST_TRACE("%s", lab_invariant_name((lab_invariant)i));
      CHECK_EQ(counts.broken[i][j], proof.findings[i][j].broken);
    }
  }
}

EOWN_TEST(ProveCounts, TwoAttempts) {
  for (unsigned n = 1; n <= 4; n++)
    check_counts(n, 2, LAB_RETRY_BY_GRPC);
}

EOWN_TEST(ProveCounts, MoreAttempts) {
  check_counts(4, 3, LAB_RETRY_BY_GRPC);
  check_counts(3, 5, LAB_RETRY_BY_GRPC);
}

EOWN_TEST(ProveCounts, Loops) {
  for (unsigned n = 1; n <= 4; n++) {
    check_counts(n, 2, LAB_RETRY_BY_APPLICATION);
    check_counts(n, 2, LAB_RETRY_BY_BOTH);
  }
  check_counts(4, 3, LAB_RETRY_BY_APPLICATION);
  check_counts(4, 3, LAB_RETRY_BY_BOTH);
  check_counts(3, 5, LAB_RETRY_BY_BOTH);
}

/* Of one service: it fails; it has eown or not. Of two: who fails 3, the policy
 * 2, the callee's eown 2, and the caller's 3 (none, eown, context lost). */
EOWN_TEST(ProveCounts, ByHand) {
  lab_proof proof;
  lab_prove(&proof, 1, 2, &lab_rules_core);
  CHECK_EQ(2, lab_proof_cases(&proof));
  lab_prove(&proof, 2, 2, &lab_rules_core);
  CHECK_EQ(2 + 3 * 2 * 2 * 3, lab_proof_cases(&proof));
  CHECK_EQ(2, proof.trees);
}

EOWN_TEST(ProveCounts, WhatHasToHoldHolds) {
  lab_proof proof;
  lab_prove(&proof, 5, 2, &lab_rules_core);
  CHECK_TRUE(lab_proof_holds(&proof));
  CHECK_EQ(229478, lab_proof_cases(&proof));
  for (int j = 0; j < LAB_ROLLOUT_N; j++) {
    CHECK_EQ(0, proof.findings[LAB_INVARIANT_RETRIED][j].broken);
    CHECK_EQ(0, proof.findings[LAB_INVARIANT_LOAD][j].broken);
    CHECK_EQ(0, proof.findings[LAB_INVARIANT_GAPS][j].broken);
  }
  CHECK_EQ(0,
           proof.findings[LAB_INVARIANT_NEXT_TO_OWNER][LAB_ROLLOUT_ALL].broken);
  CHECK_EQ(0, proof.findings[LAB_INVARIANT_ONE_OWNER][LAB_ROLLOUT_ALL].broken);
}

/* Partial roll-out, or a lost context, breaks these two; stock the first. */
EOWN_TEST(ProveCounts, WhatPartialRollOutBreaks) {
  lab_proof proof;
  lab_prove(&proof, 4, 2, &lab_rules_core);
  const lab_finding *next = proof.findings[LAB_INVARIANT_NEXT_TO_OWNER];
  const lab_finding *owner = proof.findings[LAB_INVARIANT_ONE_OWNER];
  CHECK_GT(next[LAB_ROLLOUT_NOBODY].broken, 0);
  CHECK_GT(next[LAB_ROLLOUT_SOME].broken, 0);
  CHECK_GT(next[LAB_ROLLOUT_ALL_LOST].broken, 0);
  CHECK_GT(owner[LAB_ROLLOUT_SOME].broken, 0);
  CHECK_GT(owner[LAB_ROLLOUT_ALL_LOST].broken, 0);
  CHECK_EQ(3, next[LAB_ROLLOUT_SOME].example.tree.services);
  CHECK_EQ(4, owner[LAB_ROLLOUT_SOME].example.tree.services);
}

/* Where only one service fails, each error by itself is retried. */
EOWN_TEST(ProveCounts, OneErrorIsAlwaysRetried) {
  lab_proof proof;
  lab_prove(&proof, 5, 2, &lab_rules_core);
  for (int j = 0; j < LAB_ROLLOUT_N; j++) {
    const lab_finding *finding = &proof.findings[LAB_INVARIANT_EACH_RETRIED][j];
    if (finding->broken > 0)
      CHECK_EQ(2, __builtin_popcount(finding->example.failing));
  }
}
