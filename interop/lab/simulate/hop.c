/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "hop.h"

#include "again.h"
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
  lab_failed_outbound outbound = {
      .claim = (eown_claim)failed->claim,
      .attempts = failed->attempts,
      .covered = failed->covered,
      .edge = kind,
  };
  return lab_rules_reason(replica->model->rules, &outbound);
}

/* The outbound has failed. Another call to the same callee after one that
 * failed is the application's own retry (rule 2 b). */
static void record(lab_replica *replica, lab_hop *hop, eown_claim claim,
                   bool covered) {
  const lab_model *model = replica->model;
  const lab_fleet_service *service = &model->fleet->services[hop->service];
  hop->failed |= !model->fleet->edges[hop->edge].fail_open;
  if (!lab_model_claims(model) || !service->eown || service->lost)
    return;
  lab_failed_edge now = {hop->edge, (uint8_t)claim, hop->attempts, covered};
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
  bool covered = false;
  if (lab_hop_once_more(replica, hop, claim, &covered))
    return true;
  record(replica, hop, claim, covered);
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
