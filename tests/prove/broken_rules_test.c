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

/* --- a wrong rule for the application's loop ------------------------------ */

static const lab_finding *find_by(lab_proof *proof, const lab_rules *rules,
                                  lab_retry_by by, lab_invariant invariant) {
  lab_prove_by(proof, 4, 2, by, rules);
  return &proof->findings[invariant][LAB_ROLLOUT_ALL];
}

static void check_noticed(const lab_rules *rules, lab_retry_by by,
                          lab_invariant invariant) {
  TEST_TRACE("%s by %s", lab_invariant_name(invariant), lab_retry_by_names[by]);
  lab_proof proof;
  CHECK_GT(find_by(&proof, rules, by, invariant)->broken, 0);
  CHECK_FALSE(lab_proof_holds(&proof));
}

static eown_loop loops_never(const eown_loop_view *view, bool owns) {
  (void)view, (void)owns;
  return EOWN_LOOP_STATUS;
}

EOWN_TEST(BrokenRules, LoopNeverRetries) {
  lab_rules rules = lab_rules_core;
  rules.loop = loops_never;
  check_noticed(&rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_RETRIED);
}

static eown_loop stops_always(const eown_loop_view *view, bool owns) {
  (void)view, (void)owns;
  return EOWN_LOOP_UNCLAIMED;
}

EOWN_TEST(BrokenRules, LoopStopsAlways) {
  lab_rules rules = lab_rules_core;
  rules.loop = stops_always;
  check_noticed(&rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_RETRIED);
}

static eown_loop loops_always(const eown_loop_view *view, bool owns) {
  (void)view, (void)owns;
  return EOWN_LOOP_RETRY;
}

EOWN_TEST(BrokenRules, LoopRetriesAlways) {
  lab_rules rules = lab_rules_core;
  rules.loop = loops_always;
  check_noticed(&rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_LOAD);
  check_noticed(&rules, LAB_RETRY_BY_BOTH, LAB_INVARIANT_LOAD);
}

static eown_loop forgets_claims(const eown_loop_view *view, bool owns) {
  eown_loop_view other = *view;
  other.claim = EOWN_CLAIM_MISSING;
  other.refused = false;
  return eown_rule_loop(&other, owns);
}

EOWN_TEST(BrokenRules, LoopForgetsClaims) {
  lab_rules rules = lab_rules_core;
  rules.loop = forgets_claims;
  check_noticed(&rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_NEXT_TO_OWNER);
  check_noticed(&rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_GAPS);
  check_noticed(&rules, LAB_RETRY_BY_BOTH, LAB_INVARIANT_NEXT_TO_OWNER);
}

static eown_loop forgets_attempts(const eown_loop_view *view, bool owns) {
  eown_loop_view other = *view;
  other.attempts_left = true;
  return eown_rule_loop(&other, owns);
}

/* A loop above a policy multiplies. */
EOWN_TEST(BrokenRules, LoopForgetsAttempts) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.loop = forgets_attempts;
  check_noticed(&rules, LAB_RETRY_BY_BOTH, LAB_INVARIANT_LOAD);
  find_by(&proof, &rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_LOAD);
  CHECK_TRUE(lab_proof_holds(&proof));
}

/* Where there is no policy its rule is not asked, and so for loops. */
EOWN_TEST(BrokenRules, EachRuleInItsPlace) {
  lab_rules rules = lab_rules_core;
  lab_proof proof;
  rules.retry = never_retry;
  find_by(&proof, &rules, LAB_RETRY_BY_APPLICATION, LAB_INVARIANT_RETRIED);
  CHECK_TRUE(lab_proof_holds(&proof));
  rules = lab_rules_core;
  rules.loop = loops_always;
  find_by(&proof, &rules, LAB_RETRY_BY_GRPC, LAB_INVARIANT_LOAD);
  CHECK_TRUE(lab_proof_holds(&proof));
}
