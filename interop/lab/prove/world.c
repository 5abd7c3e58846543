/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

/* Does the caller make one more attempt? A service with eown stops what rule 1
 * stops; an UNCLAIMED error brings its pushback to everybody. */
static bool once_more(const lab_case *of, const lab_rules *rules,
                      unsigned caller, eown_claim claim, unsigned attempts) {
  lab_grpc_retry retry = {.covers = lab_set_has(of->policy, caller),
                          .pushback = claim == EOWN_CLAIM_UNCLAIMED,
                          .attempts = attempts,
                          .limit = of->attempts};
  if (!lab_set_has(of->eown, caller))
    return lab_grpc_would_retry(&retry);
  return rules->retry(true, claim, false, false) == EOWN_RETRY_ALLOWED &&
         rules->grpc(&retry);
}

static unsigned attempts_of(const lab_world *world, const lab_rules *rules,
                            unsigned callee) {
  unsigned caller = world->of->tree.caller[callee];
  unsigned attempts = 1;
  while (attempts <= world->of->attempts &&
         once_more(world->of, rules, caller, world->claims[callee], attempts))
    attempts++;
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
        .covered = lab_set_has(of->policy, service),
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
  world->attempts[service] = (uint8_t)attempts_of(world, rules, service);
  if (world->attempts[service] > 1)
    world->retried = (uint8_t)(world->retried | 1u << service);
}

static uint32_t stock_attempts(const lab_world *world, unsigned service) {
  const lab_case *of = world->of;
  bool retries = lab_set_has(world->failed, service) &&
                 lab_set_has(of->policy, of->tree.caller[service]);
  return retries ? of->attempts : 1;
}

void lab_world_play(lab_world *world, const lab_case *of,
                    const lab_rules *rules) {
  world->of = of;
  world->failed = of->failing;
  world->retried = 0;
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
