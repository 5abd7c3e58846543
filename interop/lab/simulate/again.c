/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Another attempt:
 *   1. by gRPC's policy, within the call, where there is one;
 *   2. when the call has ended, by the application's loop, where there is one:
 *      eown's, or one written by hand where the service has no eown. */
#include "again.h"

static bool has_eown(const lab_replica *replica, const lab_hop *hop) {
  const lab_model *model = replica->model;
  return model->fleet->services[hop->service].eown && lab_model_eown(model);
}

static bool may_retry(const lab_replica *replica, const lab_hop *hop) {
  const lab_model *model = replica->model;
  return !model->fleet->edges[hop->edge].no_retry && model->attempts > 1;
}

/* An UNCLAIMED error brings a negative pushback, unless eown observes. */
static bool has_pushback(const lab_replica *replica, eown_claim claim) {
  return claim != EOWN_CLAIM_MISSING &&
         eown_rule_pushback(claim, !replica->model->observe, true);
}

static bool is_budget_empty(const lab_replica *replica, const lab_hop *hop) {
  eown_budget *budget = lab_limits_budget(&replica->limits, hop->edge);
  return budget && !eown_budget_would_allow(budget, replica->clock_ms);
}

static bool is_chained(const lab_replica *replica, const lab_hop *hop) {
  const lab_model *model = replica->model;
  return lab_model_chain_stop(model) && hop->marked &&
         !model->fleet->services[hop->service].lost;
}

static void count_stop(lab_replica *replica, const lab_hop *hop,
                       uint64_t *count) {
  *count += !replica->healthy;
  replica->sites[hop->service].counts.stopped += !replica->healthy;
}

/* --- by gRPC's policy ----------------------------------------------------- */

/* gRPC's retry filter. */
static bool grpc_retries(lab_replica *replica, const lab_hop *hop,
                         bool pushback) {
  const lab_model *model = replica->model;
  lab_grpc_retry retry = {.covers = may_retry(replica, hop),
                          .pushback = pushback,
                          .attempts = hop->in_call,
                          .limit = model->attempts};
  if (!replica->limits.tokens)
    return model->rules->grpc(&retry);
  bool would = model->rules->grpc(&retry);
  retry.throttled =
      retry.covers && lab_limits_throttle_failure(&replica->limits, hop->edge);
  replica->counts.throttled += would && retry.throttled && !replica->healthy;
  return model->rules->grpc(&retry);
}

/* What gRPC would do had the error come without a pushback: only then a stop is
 * one that counts. */
static bool allows(lab_replica *replica, const lab_hop *hop, eown_claim claim) {
  const lab_model *model = replica->model;
  eown_budget *budget = lab_limits_budget(&replica->limits, hop->edge);
  eown_retry retry = model->rules->retry(
      true, claim, is_budget_empty(replica, hop), is_chained(replica, hop));
  if (retry != EOWN_RETRY_ALLOWED) {
    count_stop(replica, hop, &replica->counts.stopped[retry]);
    return model->observe;
  }
  if (budget)
    eown_budget_withdraw(budget, replica->clock_ms);
  return true;
}

static bool policy_retries(lab_replica *replica, lab_hop *hop,
                           eown_claim claim) {
  bool eown = has_eown(replica, hop);
  bool again =
      grpc_retries(replica, hop, !eown && has_pushback(replica, claim)) &&
      (!eown || allows(replica, hop, claim));
  hop->in_call = (uint8_t)(hop->in_call + again);
  return again;
}

/* --- by the application's loop -------------------------------------------- */

static lab_loop_retry loop_retry(const lab_replica *replica, const lab_hop *hop,
                                 eown_claim claim) {
  return (lab_loop_retry){.covers = may_retry(replica, hop),
                          .calls = hop->calls,
                          .attempts = hop->attempts,
                          .limit = replica->model->attempts,
                          .claim = claim,
                          .budget_empty = is_budget_empty(replica, hop),
                          .chained = is_chained(replica, hop),
                          .pushback = has_pushback(replica, claim)};
}

static uint64_t *stop_count(lab_counts *counts, eown_loop reason) {
  switch (reason) {
  case EOWN_LOOP_UNCLAIMED:
    return &counts->stopped[EOWN_RETRY_STOP_UNCLAIMED];
  case EOWN_LOOP_BUDGET:
    return &counts->stopped[EOWN_RETRY_STOP_BUDGET];
  case EOWN_LOOP_CHAIN:
    return &counts->stopped[EOWN_RETRY_STOP_CHAIN];
  default:
    return &counts->multiplied;
  }
}

/* Eown's loop. Where it observes, it counts what ownership would stop and does
 * what the rest of the rule says. */
static bool owned_retries(lab_replica *replica, const lab_hop *hop,
                          eown_claim claim, bool *covered) {
  const lab_model *model = replica->model;
  lab_loop_retry retry = loop_retry(replica, hop, claim);
  eown_loop_view view = lab_loop_view(&retry);
  eown_loop reason = model->rules->loop(&view, true);
  eown_budget *budget = lab_limits_budget(&replica->limits, hop->edge);
  *covered |= eown_loop_is_held_back(reason);
  if (eown_loop_is_stop(reason))
    count_stop(replica, hop, stop_count(&replica->counts, reason));
  if (model->rules->loop(&view, !model->observe) != EOWN_LOOP_RETRY)
    return false;
  if (budget)
    eown_budget_withdraw_call(budget, replica->clock_ms);
  return true;
}

static bool hand_retries(const lab_replica *replica, const lab_hop *hop) {
  lab_loop_retry retry = {.covers = may_retry(replica, hop),
                          .calls = hop->calls,
                          .limit = replica->model->attempts};
  return lab_hand_would_retry(&retry);
}

static bool loop_retries(lab_replica *replica, lab_hop *hop, eown_claim claim,
                         bool *covered) {
  bool again = has_eown(replica, hop)
                   ? owned_retries(replica, hop, claim, covered)
                   : hand_retries(replica, hop);
  if (!again)
    return false;
  hop->calls++;
  hop->in_call = 1;
  lab_limits_deposit(&replica->limits, hop->edge, replica->clock_ms);
  return true;
}

bool lab_hop_once_more(lab_replica *replica, lab_hop *hop, eown_claim claim,
                       bool *covered) {
  lab_retry_by by = replica->model->retry_by;
  bool again = lab_retry_by_policy(by) && policy_retries(replica, hop, claim);
  *covered = lab_retry_by_policy(by) && !again && may_retry(replica, hop);
  if (!again && lab_retry_by_loop(by))
    again = loop_retries(replica, hop, claim, covered);
  hop->attempts = (uint8_t)(hop->attempts + again);
  return again;
}
