/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "rules_oracle.h"

eown_retry oracle_retry(bool error, eown_claim claim, bool budget_empty,
                        bool chained) {
  if (!error)
    return EOWN_RETRY_OK;
  if (claim == EOWN_CLAIM_UNCLAIMED)
    return EOWN_RETRY_STOP_UNCLAIMED;
  if (budget_empty)
    return EOWN_RETRY_STOP_BUDGET;
  if (chained)
    return EOWN_RETRY_STOP_CHAIN;
  return EOWN_RETRY_ALLOWED;
}

bool oracle_criteria(eown_claim claim, bool retried, eown_policy policy,
                     bool application) {
  if (claim == EOWN_CLAIM_UNCLAIMED) /* (a) */
    return true;
  if (retried) /* (b) */
    return true;
  /* (c): covered, and still it came to no second attempt: held back. */
  if (policy == EOWN_POLICY_COVERS)
    return true;
  if (application) /* (d) */
    return true;
  return false;
}

eown_decision oracle_matrix(eown_callee callee, bool inbound_failed,
                            eown_edge_kind edge, bool criteria) {
  eown_decision decision = {false, EOWN_CLAIM_MISSING, EOWN_REASON_NONE};

  /* Callee error MISSING / CLAIMED / UNCLAIMED: retry yes / yes / no. */
  if (callee == EOWN_CALLEE_MISSING || callee == EOWN_CALLEE_CLAIMED)
    decision.retry = true;

  /* A claim is only sent with an error. */
  if (!inbound_failed)
    return decision;

  decision.claim = EOWN_CLAIM_CLAIMED;
  if (callee == EOWN_CALLEE_OK) {
    decision.reason = EOWN_REASON_OWN;
    return decision;
  }
  if (edge == EOWN_EDGE_FAIL_OPEN) {
    decision.reason = EOWN_REASON_COINCIDENTAL;
    return decision;
  }
  /* An unclaimed error satisfies the criteria by itself (rule 2 a). */
  if (criteria || callee == EOWN_CALLEE_UNCLAIMED) {
    decision.claim = EOWN_CLAIM_UNCLAIMED;
    decision.reason = EOWN_REASON_PROPAGATED;
    return decision;
  }
  decision.reason = EOWN_REASON_AT_LEAST_ONCE;
  return decision;
}

int oracle_rank(eown_reason reason) {
  if (reason == EOWN_REASON_APPLICATION)
    return 6;
  if (reason == EOWN_REASON_PROPAGATED)
    return 5;
  if (reason == EOWN_REASON_AT_LEAST_ONCE)
    return 4;
  if (reason == EOWN_REASON_UNREACHABLE)
    return 3;
  if (reason == EOWN_REASON_COINCIDENTAL)
    return 2;
  if (reason == EOWN_REASON_OWN)
    return 1;
  return 0;
}

eown_loop oracle_loop(const eown_loop_view *view, bool owns) {
  if (view->ok)
    return EOWN_LOOP_OK;
  if (view->cancelled)
    return EOWN_LOOP_CANCELLED;
  if (!view->listed)
    return EOWN_LOOP_STATUS;
  if (view->committed)
    return EOWN_LOOP_COMMITTED;
  if (!view->calls_left)
    return EOWN_LOOP_ATTEMPTS;
  if (!view->time_left)
    return EOWN_LOOP_DEADLINE;
  if (owns && view->claim == EOWN_CLAIM_UNCLAIMED)
    return EOWN_LOOP_UNCLAIMED;
  if (owns && view->budget_empty)
    return EOWN_LOOP_BUDGET;
  if (owns && view->chained)
    return EOWN_LOOP_CHAIN;
  if (owns && !view->attempts_left)
    return EOWN_LOOP_MULTIPLIED;
  return view->refused ? EOWN_LOOP_PUSHBACK : EOWN_LOOP_RETRY;
}
