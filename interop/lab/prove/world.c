/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

/* A call between two services, of the view of its caller. */
typedef struct edge {
  const lab_case *of;
  const lab_rules *rules;
  eown_claim claim; /* sent with the error */
  bool may_retry;
  bool eown; /* of the caller */
} edge;

static edge edge_of(const lab_world *world, const lab_rules *rules,
                    unsigned callee) {
  unsigned caller = world->of->tree.caller[callee];
  return (edge){.of = world->of,
                .rules = rules,
                .claim = world->claims[callee],
                .may_retry = lab_set_has(world->of->policy, caller),
                .eown = lab_set_has(world->of->eown, caller)};
}

/* Does gRPC's policy make one more attempt? A service with eown stops what rule
 * 1 stops; an UNCLAIMED error brings its pushback to everybody. */
static bool once_more(const edge *edge, unsigned attempts) {
  lab_grpc_retry retry = {.covers = edge->may_retry,
                          .pushback = edge->claim == EOWN_CLAIM_UNCLAIMED,
                          .attempts = attempts,
                          .limit = edge->of->attempts};
  if (!edge->eown)
    return lab_grpc_would_retry(&retry);
  return edge->rules->retry(true, edge->claim, false, false) ==
             EOWN_RETRY_ALLOWED &&
         edge->rules->grpc(&retry);
}

/* The attempts of one call. */
static unsigned policy_attempts(const edge *edge) {
  unsigned attempts = 1;
  if (!lab_retry_by_policy(edge->of->retry_by))
    return attempts;
  while (attempts <= edge->of->attempts && once_more(edge, attempts))
    attempts++;
  return attempts;
}

/* Does the loop call again? Why eown's does not is in `reason`. */
static bool call_again(const edge *edge, unsigned calls, unsigned attempts,
                       eown_loop *reason) {
  lab_loop_retry retry = {.covers = edge->may_retry,
                          .calls = calls,
                          .attempts = attempts,
                          .limit = edge->of->attempts,
                          .claim = edge->claim,
                          .pushback = edge->claim == EOWN_CLAIM_UNCLAIMED};
  if (!edge->eown)
    return lab_hand_would_retry(&retry);
  eown_loop_view view = lab_loop_view(&retry);
  *reason = edge->rules->loop(&view, true);
  return *reason == EOWN_LOOP_RETRY;
}

/* All attempts at the callee. Every call of a loop ends as the first does. */
static unsigned find_attempts(lab_world *world, const edge *edge,
                              unsigned callee) {
  unsigned each = policy_attempts(edge), attempts = each, calls = 1;
  lab_retry_by by = edge->of->retry_by;
  eown_loop reason = EOWN_LOOP_RETRY;
  bool covered = lab_retry_by_policy(by) && edge->may_retry;
  if (lab_retry_by_loop(by)) {
    for (; calls <= edge->of->attempts &&
           call_again(edge, calls, attempts, &reason);
         calls++)
      attempts += each;
    covered |= eown_loop_is_held_back(reason);
  }
  world->covered = (uint8_t)(world->covered | (unsigned)covered << callee);
  return attempts;
}

/* Rule 3 over all failed callees. Where the context is lost none is known. */
static eown_reason reason_of(const lab_world *world, const lab_rules *rules,
                             unsigned service) {
  const lab_case *of = world->of;
  eown_reason reason = EOWN_REASON_OWN;
  if (lab_set_has(of->lost, service))
    return reason;
  for (unsigned i = service + 1; i < of->tree.services; i++) {
    if (of->tree.caller[i] != service || !lab_set_has(world->failed, i))
      continue;
    lab_failed_outbound outbound = {
        .claim = world->claims[i],
        .attempts = world->attempts[i],
        .covered = lab_set_has(world->covered, i),
        .edge = EOWN_EDGE_UNKNOWN,
    };
    reason = rules->strongest(reason, lab_rules_reason(rules, &outbound));
  }
  return reason;
}

/* The service's own answer, then its caller's attempts: callees come later in
 * the numbering, so theirs are known. */
static void answer(lab_world *world, const lab_rules *rules, unsigned service) {
  const lab_case *of = world->of;
  world->claims[service] = EOWN_CLAIM_MISSING;
  world->attempts[service] = 1;
  if (!lab_set_has(world->failed, service))
    return;
  if (lab_set_has(of->eown, service))
    world->claims[service] = rules->claim(reason_of(world, rules, service));
  if (service == 0)
    return;
  world->failed = (uint8_t)(world->failed | 1u << of->tree.caller[service]);
  edge edge = edge_of(world, rules, service);
  world->attempts[service] = (uint8_t)find_attempts(world, &edge, service);
  if (world->attempts[service] > 1)
    world->retried = (uint8_t)(world->retried | 1u << service);
}

static uint32_t stock_attempts(const lab_world *world, unsigned service) {
  const lab_case *of = world->of;
  bool retries = lab_set_has(world->failed, service) &&
                 lab_set_has(of->policy, of->tree.caller[service]);
  bool both = of->retry_by == LAB_RETRY_BY_BOTH;
  return retries ? of->attempts * (both ? of->attempts : 1) : 1;
}

void lab_world_play(lab_world *world, const lab_case *of,
                    const lab_rules *rules) {
  world->of = of;
  world->failed = of->failing;
  world->retried = world->covered = 0;
  for (unsigned i = of->tree.services; i-- > 0;)
    answer(world, rules, i);
  world->loads[0] = world->stock_loads[0] = 1;
  for (unsigned i = 1; i < of->tree.services; i++) {
    unsigned caller = of->tree.caller[i];
    world->loads[i] = world->loads[caller] * world->attempts[i];
    world->stock_loads[i] =
        world->stock_loads[caller] * stock_attempts(world, i);
  }
}
