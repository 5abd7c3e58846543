/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

const lab_rules lab_rules_core = {
    .retry = eown_rule_retry,
    .criteria = eown_rule_criteria,
    .matrix = eown_rule_matrix,
    .strongest = eown_rule_strongest,
    .claim = eown_rule_claim,
    .grpc = lab_grpc_would_retry,
};

bool lab_grpc_would_retry(const lab_grpc_retry *retry) {
  return retry->covers && !retry->throttled && retry->attempts < retry->limit &&
         !retry->pushback;
}

eown_reason lab_rules_reason(const lab_rules *rules,
                             const lab_failed_outbound *outbound) {
  static const eown_callee callees[EOWN_CLAIM_N] = {
      [EOWN_CLAIM_MISSING] = EOWN_CALLEE_MISSING,
      [EOWN_CLAIM_CLAIMED] = EOWN_CALLEE_CLAIMED,
      [EOWN_CLAIM_UNCLAIMED] = EOWN_CALLEE_UNCLAIMED,
  };
  eown_policy policy =
      outbound->covered ? EOWN_POLICY_COVERS : EOWN_POLICY_NONE;
  bool criteria =
      rules->criteria(outbound->claim, outbound->attempts >= 2, policy, false);
  return rules->matrix(callees[outbound->claim], true, outbound->edge, criteria)
      .reason;
}
