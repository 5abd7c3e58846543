/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Every invariant can break: a wrong rule in the core's place is found out. */
#include "lab/prove/prove.h"

#include "gtest_c.h"

#include <stdlib.h>

static const lab_finding *find(lab_proof *proof, const lab_rules *rules,
                               lab_invariant invariant) {
  lab_prove(proof, 4, 2, rules);
  return &proof->findings[invariant][LAB_ROLLOUT_ALL];
}

static bool always_satisfied(eown_claim claim, bool retried, eown_policy policy,
                             bool application) {
  (void)claim, (void)retried, (void)policy, (void)application;
  return true;
}

/* A service that has no policy says that the error had its retry. */
EOWN_TEST(BrokenRules, CriteriaAlwaysSatisfied) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.criteria = always_satisfied;
  const lab_finding *finding = find(&proof, &rules, LAB_INVARIANT_RETRIED);
  CHECK_GT(finding->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
  CHECK_EQ(3, finding->example.tree.services);
  char *drawing = lab_case_draw(&finding->example, &rules);
  CHECK_STREQ(
      "A         eown, may retry, sends unclaimed: load 1 (stock 1)\n"
      "`- B      eown, sends unclaimed: load 1 (stock 2)\n"
      "   `- C   eown, fails by itself, sends claimed: load 1 (stock 2)\n",
      drawing);
  free(drawing);
}

static eown_retry never_retry(bool error, eown_claim claim, bool budget_empty,
                              bool chained) {
  (void)error, (void)claim, (void)budget_empty, (void)chained;
  return EOWN_RETRY_STOP_UNCLAIMED;
}

EOWN_TEST(BrokenRules, NothingIsRetried) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.retry = never_retry;
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_RETRIED)->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
}

static eown_claim always_claimed(eown_reason reason) {
  (void)reason;
  return EOWN_CLAIM_CLAIMED;
}

/* A storm: everybody retries. */
EOWN_TEST(BrokenRules, EverythingIsClaimed) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.claim = always_claimed;
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_NEXT_TO_OWNER)->broken, 0);
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_GAPS)->broken, 0);
  CHECK_EQ(0, find(&proof, &rules, LAB_INVARIANT_EACH_RETRIED)->broken);
  CHECK_FALSE(lab_proof_holds(&proof));
}

static eown_decision forgets(eown_callee callee, bool inbound_failed,
                             eown_edge_kind edge, bool criteria) {
  if (callee == EOWN_CALLEE_UNCLAIMED)
    callee = EOWN_CALLEE_OK;
  return eown_rule_matrix(callee, inbound_failed, edge, criteria);
}

/* What came unclaimed is claimed again. */
EOWN_TEST(BrokenRules, UnclaimedIsForgotten) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.matrix = forgets;
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_ONE_OWNER)->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
}

/* OWN is where the library begins, not a failed outbound's. */
static eown_reason weakest(eown_reason a, eown_reason b) {
  return a == EOWN_REASON_OWN || b < a ? b : a;
}

/* Of two callees that failed, the one that had no retry yet speaks. */
EOWN_TEST(BrokenRules, TheWeakestReasonSpeaks) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.strongest = weakest;
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_ONE_OWNER)->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
}

static bool once_too_often(const lab_grpc_retry *retry) {
  return retry->attempts <= retry->limit && !retry->pushback;
}

/* More attempts than the policy allows, and without one. */
EOWN_TEST(BrokenRules, MoreThanStock) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.grpc = once_too_often;
  CHECK_GT(find(&proof, &rules, LAB_INVARIANT_LOAD)->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
}
