/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "hop.h"

#include "memory.h"

/* Within a spell everything fails or nothing does: so does a retry. */
bool lab_hop_throw(lab_replica *replica, uint32_t service) {
  lab_chance fails = replica->model->fleet->services[service].fails;
  if (replica->healthy)
    return false;
  uint32_t spell_ms = replica->model->spell_ms;
  if (spell_ms == 0)
    return lab_random_chance(&replica->random, fails);
  uint64_t spell = replica->now_ms / spell_ms;
  uint64_t bits = lab_random_mix(replica->spells ^ lab_random_mix(spell) ^
                                 lab_random_mix(~(uint64_t)service));
  return lab_chance_holds(fails, bits >> 32);
}

/* gRPC's retry filter. An UNCLAIMED error brings a negative pushback. */
static bool grpc_retries(lab_replica *replica, const lab_hop *hop,
                         eown_claim claim) {
  const lab_model *model = replica->model;
  const lab_fleet_edge *edge = &model->fleet->edges[hop->edge];
  lab_grpc_retry retry = {.covers = !edge->no_retry && model->attempts > 1,
                          .pushback = claim == EOWN_CLAIM_UNCLAIMED,
                          .attempts = hop->attempts,
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
  const lab_fleet_service *service = &model->fleet->services[hop->service];
  eown_budget *budget =
      replica->limits.budgets ? replica->limits.budgets[hop->edge] : NULL;
  bool empty = budget && !eown_budget_would_allow(budget, replica->clock_ms);
  bool chained = lab_model_chain_stop(model) && hop->marked && !service->lost;
  eown_retry retry = model->rules->retry(true, claim, empty, chained);
  if (retry != EOWN_RETRY_ALLOWED) {
    replica->counts.stopped[retry] += !replica->healthy;
    replica->sites[hop->service].counts.stopped += !replica->healthy;
    return model->observe;
  }
  if (budget)
    eown_budget_withdraw(budget, replica->clock_ms);
  return true;
}

static bool should_retry(lab_replica *replica, const lab_hop *hop,
                         eown_claim claim) {
  bool eown = replica->model->fleet->services[hop->service].eown;
  if (!eown || replica->model->mode == LAB_MODE_STOCK ||
      replica->model->mode == LAB_MODE_THROTTLE)
    return grpc_retries(replica, hop, claim);
  return grpc_retries(replica, hop, EOWN_CLAIM_MISSING) &&
         allows(replica, hop, claim);
}

static lab_failed_edge *find_failed(lab_hop *hop) {
  for (int i = 0; i < hop->edges; i++)
    if (hop->failed_edges[i].edge == hop->edge)
      return &hop->failed_edges[i];
  return NULL;
}

void lab_hop_clear_edge(lab_hop *hop) {
  lab_failed_edge *failed = find_failed(hop);
  if (failed)
    *failed = hop->failed_edges[--hop->edges];
}

/* Rules 2 and 3 for one failed edge. */
static eown_reason reason_of(const lab_replica *replica,
                             const lab_failed_edge *failed,
                             eown_edge_kind kind) {
  const lab_model *model = replica->model;
  const lab_fleet_edge *edge = &model->fleet->edges[failed->edge];
  lab_failed_outbound outbound = {
      .claim = (eown_claim)failed->claim,
      .attempts = failed->attempts,
      .covered = !edge->no_retry && model->attempts > 1,
      .edge = kind,
  };
  return lab_rules_reason(model->rules, &outbound);
}

/* The outbound has failed. Another call to the same callee after one that
 * failed is the application's own retry (rule 2 b). */
static void record(lab_replica *replica, lab_hop *hop, eown_claim claim) {
  const lab_model *model = replica->model;
  const lab_fleet_service *service = &model->fleet->services[hop->service];
  hop->failed |= !model->fleet->edges[hop->edge].fail_open;
  if (!lab_model_claims(model) || !service->eown || service->lost)
    return;
  lab_failed_edge now = {hop->edge, (uint8_t)claim, hop->attempts};
  lab_failed_edge *before = find_failed(hop);
  if (before) {
    now.attempts = 2;
    *before = now;
  } else if (hop->edges < LAB_HOP_EDGES)
    hop->failed_edges[hop->edges++] = now;
  else
    hop->summary = (uint8_t)model->rules->strongest(
        (eown_reason)hop->summary, reason_of(replica, &now, EOWN_EDGE_UNKNOWN));
}

bool lab_hop_retries(lab_replica *replica, lab_hop *hop, eown_claim claim) {
  if (should_retry(replica, hop, claim)) {
    hop->attempts++;
    return true;
  }
  record(replica, hop, claim);
  return false;
}

/* Rule 3 over all failed outbounds. Where the context is lost the service knows
 * of none: the error is its own. */
static eown_claim claim_of(const lab_replica *replica, const lab_hop *hop) {
  const lab_rules *rules = replica->model->rules;
  eown_reason reason = (eown_reason)hop->summary;
  for (int i = 0; i < hop->edges; i++) {
    const lab_failed_edge *failed = &hop->failed_edges[i];
    eown_edge_kind kind =
        lab_hop_edge_kind(replica, hop->service, failed->edge);
    reason = rules->strongest(reason, reason_of(replica, failed, kind));
  }
  return rules->claim(reason);
}

lab_response lab_hop_answer_error(lab_replica *replica, const lab_hop *hop) {
  const lab_model *model = replica->model;
  lab_response response = {.failed = true, .claim = EOWN_CLAIM_MISSING};
  replica->sites[hop->service].counts.failed++;
  if (model->fleet->services[hop->service].eown && lab_model_claims(model))
    response.claim = (uint8_t)claim_of(replica, hop);
  if (replica->memory_self)
    lab_hop_learn(replica, hop, true);
  return response;
}
