/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "mode.h"

#include <math.h>

/* The names of a callee's outcome and of the claim in its error. */
static const eown_callee callees[EOWN_CLAIM_N] = {
    [EOWN_CLAIM_MISSING] = EOWN_CALLEE_MISSING,
    [EOWN_CLAIM_CLAIMED] = EOWN_CALLEE_CLAIMED,
    [EOWN_CLAIM_UNCLAIMED] = EOWN_CALLEE_UNCLAIMED,
};

/* A fail-open edge is one that the caller's memory has learned. */
static radius_answer ask(eown_claim claim, bool no_retry, bool fail_open) {
  eown_policy policy = no_retry ? EOWN_POLICY_NONE : EOWN_POLICY_COVERS;
  bool repeats = !no_retry && eown_rule_retry(true, claim, false, false) ==
                                  EOWN_RETRY_ALLOWED;
  bool criteria = eown_rule_criteria(claim, repeats, policy, false);
  eown_decision decision = eown_rule_matrix(
      callees[claim], true, fail_open ? EOWN_EDGE_FAIL_OPEN : EOWN_EDGE_UNKNOWN,
      criteria);
  return (radius_answer){repeats, decision.reason};
}

void radius_mode_init(radius_mode *mode, unsigned attempts) {
  *mode = (radius_mode){.repeats = attempts - 1.0, .nested = true};
  for (int claim = 0; claim < EOWN_CLAIM_N; claim++)
    for (int no_retry = 0; no_retry < 2; no_retry++)
      for (int fail_open = 0; fail_open < 2; fail_open++)
        mode->answers[claim][no_retry][fail_open] =
            ask((eown_claim)claim, no_retry || attempts == 1, fail_open != 0);
}

void radius_mode_limit(radius_mode *mode, double share) {
  mode->repeats = fmin(mode->repeats, share);
}

void radius_mode_stop_chains(radius_mode *mode) {
  mode->nested = eown_rule_retry(true, EOWN_CLAIM_MISSING, false, true) ==
                 EOWN_RETRY_ALLOWED;
}

eown_claim radius_mode_claim(const radius_mode *mode, uint32_t name,
                             eown_reason reason) {
  bool runs = mode->everywhere || (mode->eown && mode->eown[name]);
  return runs ? eown_rule_claim(reason) : EOWN_CLAIM_MISSING;
}
