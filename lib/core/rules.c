/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/rules.h"

/* Rule 1, beside the table in the README:
 * [claim received][budget empty][chain stop] for an attempt that failed. The
 * first reason in the order unclaimed, budget, chain is the one counted. */
#define STOP(reason) EOWN_RETRY_STOP_##reason
static const eown_retry retry_table[EOWN_CLAIM_N][2][2] = {
    [EOWN_CLAIM_MISSING] = {{EOWN_RETRY_ALLOWED, STOP(CHAIN)},
                            {STOP(BUDGET), STOP(BUDGET)}},
    [EOWN_CLAIM_CLAIMED] = {{EOWN_RETRY_ALLOWED, STOP(CHAIN)},
                            {STOP(BUDGET), STOP(BUDGET)}},
    [EOWN_CLAIM_UNCLAIMED] = {{STOP(UNCLAIMED), STOP(UNCLAIMED)},
                              {STOP(UNCLAIMED), STOP(UNCLAIMED)}},
};
#undef STOP

eown_retry eown_rule_retry(bool error, eown_claim claim, bool budget_empty,
                           bool chained) {
  return error ? retry_table[claim][budget_empty][chained] : EOWN_RETRY_OK;
}

bool eown_retry_is_stop(eown_retry retry) {
  return retry >= EOWN_RETRY_STOP_UNCLAIMED && retry < EOWN_RETRY_N;
}

const char *eown_retry_name(eown_retry retry) {
  static const char *const names[EOWN_RETRY_N] = {
      [EOWN_RETRY_OK] = "ok",
      [EOWN_RETRY_ALLOWED] = "allowed",
      [EOWN_RETRY_STOP_UNCLAIMED] = "unclaimed",
      [EOWN_RETRY_STOP_BUDGET] = "budget",
      [EOWN_RETRY_STOP_CHAIN] = "chain",
  };
  return (unsigned)retry < EOWN_RETRY_N ? names[retry] : "unknown";
}

/* The loop's reasons, beside the table in PROTOCOL.md: whether it is one of
 * ownership's stops, and whether an error that the loop ended with for it has
 * had its retry (rule 2 c). */
static const struct {
  const char *name;
  bool stop;
  bool held_back;
} loop_table[EOWN_LOOP_N] = {
    [EOWN_LOOP_OK] = {"ok", false, false},
    [EOWN_LOOP_CANCELLED] = {"cancelled", false, false},
    [EOWN_LOOP_STATUS] = {"status", false, false},
    [EOWN_LOOP_COMMITTED] = {"committed", false, true},
    [EOWN_LOOP_ATTEMPTS] = {"attempts", false, true},
    [EOWN_LOOP_DEADLINE] = {"deadline", false, true},
    [EOWN_LOOP_UNCLAIMED] = {"unclaimed", true, true},
    [EOWN_LOOP_BUDGET] = {"budget", true, true},
    [EOWN_LOOP_CHAIN] = {"chain", true, true},
    [EOWN_LOOP_MULTIPLIED] = {"multiplied", true, true},
    [EOWN_LOOP_PUSHBACK] = {"pushback", false, true},
    [EOWN_LOOP_RETRY] = {"retry", false, false},
    [EOWN_LOOP_MISUSED] = {"misused", false, false},
};

eown_loop eown_rule_loop(const eown_loop_view *view, bool owns) {
  eown_retry retry = eown_rule_retry(!view->ok, view->claim, view->budget_empty,
                                     view->chained);
  const bool holds[EOWN_LOOP_N] = {
      [EOWN_LOOP_OK] = view->ok,
      [EOWN_LOOP_CANCELLED] = view->cancelled,
      [EOWN_LOOP_STATUS] = !view->listed,
      [EOWN_LOOP_COMMITTED] = view->committed,
      [EOWN_LOOP_ATTEMPTS] = !view->calls_left,
      [EOWN_LOOP_DEADLINE] = !view->time_left,
      [EOWN_LOOP_UNCLAIMED] = retry == EOWN_RETRY_STOP_UNCLAIMED,
      [EOWN_LOOP_BUDGET] = retry == EOWN_RETRY_STOP_BUDGET,
      [EOWN_LOOP_CHAIN] = retry == EOWN_RETRY_STOP_CHAIN,
      [EOWN_LOOP_MULTIPLIED] = !view->attempts_left,
      [EOWN_LOOP_PUSHBACK] = view->refused,
  };
  unsigned reason = EOWN_LOOP_OK;
  while (reason < EOWN_LOOP_RETRY &&
         (!holds[reason] || (loop_table[reason].stop && !owns)))
    reason++;
  return (eown_loop)reason;
}

bool eown_loop_is_stop(eown_loop loop) {
  return (unsigned)loop < EOWN_LOOP_N && loop_table[loop].stop;
}

bool eown_loop_is_held_back(eown_loop loop) {
  return (unsigned)loop < EOWN_LOOP_N && loop_table[loop].held_back;
}

const char *eown_loop_name(eown_loop loop) {
  return (unsigned)loop < EOWN_LOOP_N ? loop_table[loop].name : "unknown";
}

/* Rule 2: [claim][retried][policy]. A policy that covers the status satisfies
 * the criteria by itself: either it retried, or something held it back for
 * which a retry would do harm or come too late (c). */
#define NO_POLICY(value)                                                       \
  [EOWN_POLICY_NONE] = (value), [EOWN_POLICY_NOT_LISTED] = (value)
static const bool criteria_table[EOWN_CLAIM_N][2][EOWN_POLICY_N] = {
    [EOWN_CLAIM_MISSING] = {{NO_POLICY(false), [EOWN_POLICY_COVERS] = true},
                            {NO_POLICY(true), [EOWN_POLICY_COVERS] = true}},
    [EOWN_CLAIM_CLAIMED] = {{NO_POLICY(false), [EOWN_POLICY_COVERS] = true},
                            {NO_POLICY(true), [EOWN_POLICY_COVERS] = true}},
    [EOWN_CLAIM_UNCLAIMED] = {{NO_POLICY(true), [EOWN_POLICY_COVERS] = true},
                              {NO_POLICY(true), [EOWN_POLICY_COVERS] = true}},
};
#undef NO_POLICY

bool eown_rule_criteria(eown_claim claim, bool retried, eown_policy policy,
                        bool application) {
  return application || criteria_table[claim][retried][policy];
}

/* The decision matrix, as published and with memory and at-least-once added:
 * [callee's outcome][inbound failed][edge][criteria satisfied]
 *   = {may the callee be retried, claim sent, reason}.
 * No caller error, no claim. Read a row as: callee error MISSING, caller error,
 * edge unknown: retry yes; unclaim where the criteria are satisfied, else claim
 * (at least once). */
#define SAY(retry, claim, reason)                                              \
  { (retry), EOWN_CLAIM_##claim, EOWN_REASON_##reason }
#define SILENT(retry)                                                          \
  { SAY(retry, MISSING, NONE), SAY(retry, MISSING, NONE) }
#define OWN(retry)                                                             \
  { SAY(retry, CLAIMED, OWN), SAY(retry, CLAIMED, OWN) }
#define PASS(retry)                                                            \
  { SAY(retry, CLAIMED, AT_LEAST_ONCE), SAY(retry, UNCLAIMED, PROPAGATED) }
#define NEVER(reason)                                                          \
  { SAY(false, UNCLAIMED, reason), SAY(false, UNCLAIMED, reason) }
#define SHRUG(retry)                                                           \
  { SAY(retry, CLAIMED, COINCIDENTAL), SAY(retry, CLAIMED, COINCIDENTAL) }
#define NO_CALLER_ERROR(retry)                                                 \
  {                                                                            \
    [EOWN_EDGE_UNKNOWN] = SILENT(retry),                                       \
    [EOWN_EDGE_FAIL_CLOSE] = SILENT(retry),                                    \
    [EOWN_EDGE_FAIL_OPEN] = SILENT(retry)                                      \
  }
#define CALLER_ERROR(retry)                                                    \
  {                                                                            \
    [EOWN_EDGE_UNKNOWN] = PASS(retry), [EOWN_EDGE_FAIL_CLOSE] = PASS(retry),   \
    [EOWN_EDGE_FAIL_OPEN] = SHRUG(retry)                                       \
  }
static const eown_decision matrix[EOWN_CALLEE_N][2][EOWN_EDGE_KIND_N][2] = {
    [EOWN_CALLEE_OK] = {NO_CALLER_ERROR(false),
                        {[EOWN_EDGE_UNKNOWN] = OWN(false),
                         [EOWN_EDGE_FAIL_CLOSE] = OWN(false),
                         [EOWN_EDGE_FAIL_OPEN] = OWN(false)}},
    [EOWN_CALLEE_MISSING] = {NO_CALLER_ERROR(true), CALLER_ERROR(true)},
    [EOWN_CALLEE_CLAIMED] = {NO_CALLER_ERROR(true), CALLER_ERROR(true)},
    /* Somebody below had the chance (rule 2 a): the criteria are satisfied. */
    [EOWN_CALLEE_UNCLAIMED] = {NO_CALLER_ERROR(false),
                               {[EOWN_EDGE_UNKNOWN] = NEVER(PROPAGATED),
                                [EOWN_EDGE_FAIL_CLOSE] = NEVER(PROPAGATED),
                                [EOWN_EDGE_FAIL_OPEN] = SHRUG(false)}},
};
#undef SAY
#undef SILENT
#undef OWN
#undef PASS
#undef NEVER
#undef SHRUG
#undef NO_CALLER_ERROR
#undef CALLER_ERROR

eown_decision eown_rule_matrix(eown_callee callee, bool inbound_failed,
                               eown_edge_kind edge, bool criteria) {
  return matrix[callee][inbound_failed][edge][criteria];
}

eown_reason eown_rule_strongest(eown_reason a, eown_reason b) {
  return a > b ? a : b;
}

eown_claim eown_rule_claim(eown_reason reason) {
  static const eown_claim claims[EOWN_REASON_N] = {
      [EOWN_REASON_NONE] = EOWN_CLAIM_MISSING,
      [EOWN_REASON_OWN] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_COINCIDENTAL] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_UNREACHABLE] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_AT_LEAST_ONCE] = EOWN_CLAIM_CLAIMED,
      [EOWN_REASON_PROPAGATED] = EOWN_CLAIM_UNCLAIMED,
      [EOWN_REASON_APPLICATION] = EOWN_CLAIM_MISSING,
  };
  return claims[reason];
}

bool eown_rule_pushback(eown_claim claim, bool enforces, bool sends_pushback) {
  return claim == EOWN_CLAIM_UNCLAIMED && enforces && sends_pushback;
}
