/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

const lab_rules lab_rules_core = {
    .retry = eown_rule_retry,
    .loop = eown_rule_loop,
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

eown_loop_view lab_loop_view(const lab_loop_retry *retry) {
  return (eown_loop_view){
      .listed = retry->covers,
      .calls_left = retry->calls < retry->limit,
      .time_left = true,
      .claim = retry->claim,
      .budget_empty = retry->budget_empty,
      .chained = retry->chained,
      .attempts_left = retry->attempts < retry->limit,
      .refused = retry->pushback,
  };
}

bool lab_hand_would_retry(const lab_loop_retry *retry) {
  return retry->covers && retry->calls < retry->limit;
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
