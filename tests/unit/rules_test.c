/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Every row of the decision tables against the oracle. */
#include "eown/rules.h"

#include "gtest_c.h"
#include "rules_oracle.h"

#include <string.h>

EOWN_TEST(Rules, RetryInEveryCombination) {
  for (int error = 0; error < 2; error++)
    for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
      for (int empty = 0; empty < 2; empty++)
        for (int chained = 0; chained < 2; chained++) {
          TEST_TRACE("error %d, claim %s, budget empty %d, chained %d", error,
                     eown_claim_name((eown_claim)claim), empty, chained);
          CHECK_EQ(oracle_retry(error, (eown_claim)claim, empty, chained),
                   eown_rule_retry(error, (eown_claim)claim, empty, chained));
        }
}

EOWN_TEST(Rules, StopsAreTheThreeStops) {
  for (int i = 0; i < EOWN_RETRY_N; i++) {
    eown_retry retry = (eown_retry)i;
    bool stop = retry == EOWN_RETRY_STOP_UNCLAIMED ||
                retry == EOWN_RETRY_STOP_BUDGET ||
                retry == EOWN_RETRY_STOP_CHAIN;
    CHECK_EQ(stop, eown_retry_is_stop(retry));
  }
}

static bool bit(unsigned bits, unsigned n) { return (bits >> n & 1u) != 0; }

static void check_loop(unsigned bits, eown_claim claim) {
  const eown_loop_view view = {.ok = bit(bits, 0),
                               .cancelled = bit(bits, 1),
                               .listed = bit(bits, 2),
                               .committed = bit(bits, 3),
                               .calls_left = bit(bits, 4),
                               .time_left = bit(bits, 5),
                               .claim = claim,
                               .budget_empty = bit(bits, 6),
                               .chained = bit(bits, 7),
                               .attempts_left = bit(bits, 8),
                               .refused = bit(bits, 9)};
  for (int owns = 0; owns < 2; owns++) {
    TEST_TRACE("facts %#x, claim %s, owns %d", bits, eown_claim_name(claim),
               owns);
    CHECK_EQ(oracle_loop(&view, owns), eown_rule_loop(&view, owns));
  }
}

EOWN_TEST(Rules, LoopInEveryCombination) {
  for (unsigned bits = 0; bits < 1u << 10; bits++)
    for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
      check_loop(bits, (eown_claim)claim);
}

EOWN_TEST(Rules, LoopsStopsAndWhatTheyHoldBack) {
  for (int i = 0; i < EOWN_LOOP_N; i++) {
    eown_loop loop = (eown_loop)i;
    TEST_TRACE("%s", eown_loop_name(loop));
    CHECK_EQ(loop >= EOWN_LOOP_UNCLAIMED && loop <= EOWN_LOOP_MULTIPLIED,
             eown_loop_is_stop(loop));
    CHECK_EQ(loop >= EOWN_LOOP_COMMITTED && loop <= EOWN_LOOP_PUSHBACK,
             eown_loop_is_held_back(loop));
  }
  CHECK_STREQ("unknown", eown_loop_name(EOWN_LOOP_N));
}

EOWN_TEST(Rules, CriteriaInEveryCombination) {
  for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
    for (int retried = 0; retried < 2; retried++)
      for (int policy = 0; policy < EOWN_POLICY_N; policy++)
        for (int application = 0; application < 2; application++) {
          TEST_TRACE("claim %s, retried %d, policy %d, application %d",
                     eown_claim_name((eown_claim)claim), retried, policy,
                     application);
          CHECK_EQ(oracle_criteria((eown_claim)claim, retried,
                                   (eown_policy)policy, application),
                   eown_rule_criteria((eown_claim)claim, retried,
                                      (eown_policy)policy, application));
        }
}

EOWN_TEST(Rules, MatrixInEveryCombination) {
  for (int callee = 0; callee < EOWN_CALLEE_N; callee++)
    for (int failed = 0; failed < 2; failed++)
      for (int edge = 0; edge < EOWN_EDGE_KIND_N; edge++)
        for (int criteria = 0; criteria < 2; criteria++) {
          TEST_TRACE("callee %d, inbound failed %d, edge %d, criteria %d",
                     callee, failed, edge, criteria);
          eown_decision expected = oracle_matrix(
              (eown_callee)callee, failed, (eown_edge_kind)edge, criteria);
          eown_decision actual = eown_rule_matrix(
              (eown_callee)callee, failed, (eown_edge_kind)edge, criteria);
          CHECK_EQ(expected.retry, actual.retry);
          CHECK_EQ(expected.claim, actual.claim);
          CHECK_EQ(expected.reason, actual.reason);
        }
}

/* The published matrix: all edges unknown, every failed callee retried. */
EOWN_TEST(Rules, MatrixIsThePublishedOne) {
  static const struct {
    eown_callee callee;
    bool retry;
    eown_claim claim;
  } rows[] = {{EOWN_CALLEE_OK, false, EOWN_CLAIM_CLAIMED},
              {EOWN_CALLEE_MISSING, true, EOWN_CLAIM_UNCLAIMED},
              {EOWN_CALLEE_CLAIMED, true, EOWN_CLAIM_UNCLAIMED},
              {EOWN_CALLEE_UNCLAIMED, false, EOWN_CLAIM_UNCLAIMED}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_TRACE("callee %d", (int)rows[i].callee);
    eown_decision decision =
        eown_rule_matrix(rows[i].callee, true, EOWN_EDGE_UNKNOWN,
                         rows[i].callee != EOWN_CALLEE_OK);
    CHECK_EQ(rows[i].retry, decision.retry);
    CHECK_EQ(rows[i].claim, decision.claim);
  }
}

/* Rule 1 and the matrix speak of the same retry. */
EOWN_TEST(Rules, MatrixAgreesWithRuleOne) {
  for (int callee = 0; callee < EOWN_CALLEE_N; callee++) {
    eown_claim claim = callee == EOWN_CALLEE_CLAIMED     ? EOWN_CLAIM_CLAIMED
                       : callee == EOWN_CALLEE_UNCLAIMED ? EOWN_CLAIM_UNCLAIMED
                                                         : EOWN_CLAIM_MISSING;
    eown_retry retry =
        eown_rule_retry(callee != EOWN_CALLEE_OK, claim, false, false);
    CHECK_EQ(
        retry == EOWN_RETRY_ALLOWED,
        eown_rule_matrix((eown_callee)callee, true, EOWN_EDGE_UNKNOWN, false)
            .retry);
  }
}

/* A claim and its reason always agree. */
EOWN_TEST(Rules, MatrixClaimsByReason) {
  for (int callee = 0; callee < EOWN_CALLEE_N; callee++)
    for (int failed = 0; failed < 2; failed++)
      for (int edge = 0; edge < EOWN_EDGE_KIND_N; edge++)
        for (int criteria = 0; criteria < 2; criteria++) {
          eown_decision decision = eown_rule_matrix(
              (eown_callee)callee, failed, (eown_edge_kind)edge, criteria);
          CHECK_EQ(eown_rule_claim(decision.reason), decision.claim);
        }
}

EOWN_TEST(Rules, StrongestIsTheHigherRank) {
  for (int a = 0; a < EOWN_REASON_N; a++)
    for (int b = 0; b < EOWN_REASON_N; b++) {
      TEST_TRACE("%s, %s", eown_reason_name((eown_reason)a),
                 eown_reason_name((eown_reason)b));
      int expected =
          oracle_rank((eown_reason)a) > oracle_rank((eown_reason)b) ? a : b;
      CHECK_EQ(expected,
               (int)eown_rule_strongest((eown_reason)a, (eown_reason)b));
    }
}

EOWN_TEST(Rules, ClaimGoesWithReason) {
  static const eown_claim claims[] = {
      [EOWN_REASON_NONE] = EOWN_CLAIM_MISSING,
      [EOWN_REASON_OWN] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_COINCIDENTAL] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_UNREACHABLE] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_AT_LEAST_ONCE] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_PROPAGATED] = EOWN_CLAIM_UNCLAIMED,
      [EOWN_REASON_APPLICATION] = EOWN_CLAIM_MISSING,
  };
  CHECK_EQ(EOWN_REASON_N, sizeof claims / sizeof *claims);
  for (int reason = 0; reason < EOWN_REASON_N; reason++) {
    TEST_TRACE("%s", eown_reason_name((eown_reason)reason));
    CHECK_EQ(claims[reason], eown_rule_claim((eown_reason)reason));
  }
}

EOWN_TEST(Rules, NamesAreStable) {
  static const char *const retries[] = {"ok", "allowed", "unclaimed", "budget",
                                        "chain"};
  static const char *const reasons[] = {
      "none",          "own",        "coincidental", "unreachable",
      "at_least_once", "propagated", "application"};
  static const char *const claims[] = {"missing", "claimed", "unclaimed"};
  for (int i = 0; i < EOWN_RETRY_N; i++)
    CHECK_STREQ(retries[i], eown_retry_name((eown_retry)i));
  for (int i = 0; i < EOWN_REASON_N; i++)
    CHECK_STREQ(reasons[i], eown_reason_name((eown_reason)i));
  for (int i = 0; i < EOWN_CLAIM_N; i++)
    CHECK_STREQ(claims[i], eown_claim_name((eown_claim)i));
}

EOWN_TEST(Rules, PushbackGoesWithWhatIsEnforcedAndUnclaimed) {
  for (int claim = 0; claim < EOWN_CLAIM_N; claim++) {
    CHECK_EQ(claim == EOWN_CLAIM_UNCLAIMED,
             eown_rule_pushback((eown_claim)claim, true, true));
    CHECK_FALSE(eown_rule_pushback((eown_claim)claim, false, true));
    CHECK_FALSE(eown_rule_pushback((eown_claim)claim, true, false));
  }
}
