/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

void lab_path_make(lab_path *path, uint32_t services, const lab_gaps *gaps,
                   uint64_t seed) {
  lab_random random;
  lab_random_seed(&random, seed, 0);
  *path = (lab_path){.services = services};
  for (uint32_t i = 0; i < services; i++) {
    path->eown[i] = !lab_random_chance(&random, lab_chance_of(gaps->no_eown));
    path->lost[i] = lab_random_chance(&random, lab_chance_of(gaps->lost));
    path->no_retry[i] =
        lab_random_chance(&random, lab_chance_of(gaps->no_retry));
  }
}

/* Whether the caller makes a second attempt, as it would any further one. */
static bool multiplies(const lab_path *path, const lab_rules *rules,
                       uint32_t caller, eown_claim claim) {
  lab_grpc_retry retry = {.covers = !path->no_retry[caller],
                          .pushback = claim == EOWN_CLAIM_UNCLAIMED,
                          .attempts = 1,
                          .limit = 2};
  if (path->eown[caller] &&
      rules->retry(true, claim, false, false) != EOWN_RETRY_ALLOWED)
    return false;
  return rules->grpc(&retry);
}

/* What the caller says of the error in its turn. */
static eown_claim pass_on(const lab_path *path, const lab_rules *rules,
                          uint32_t caller, eown_claim claim, bool retried) {
  lab_failed_outbound outbound = {.claim = claim,
                                  .attempts = retried ? 2 : 1,
                                  .covered = !path->no_retry[caller],
                                  .edge = EOWN_EDGE_UNKNOWN};
  if (!path->eown[caller])
    return EOWN_CLAIM_MISSING;
  return rules->claim(path->lost[caller] ? EOWN_REASON_OWN
                                         : lab_rules_reason(rules, &outbound));
}

/* The longest run of multiplying hops when `failing` fails. */
static uint32_t find_run(const lab_path *path, const lab_rules *rules,
                         uint32_t failing) {
  uint32_t run = 0, longest = 0;
  eown_claim claim =
      path->eown[failing] ? rules->claim(EOWN_REASON_OWN) : EOWN_CLAIM_MISSING;
  for (uint32_t caller = failing; caller-- > 0;) {
    bool retried = multiplies(path, rules, caller, claim);
    run = retried ? run + 1 : 0;
    longest = run > longest ? run : longest;
    claim = pass_on(path, rules, caller, claim, retried);
  }
  return longest;
}

lab_path_radius lab_path_find_radius(const lab_path *path,
                                     const lab_rules *rules) {
  lab_path_radius radius = {0};
  lab_path stock = {.services = path->services};
  for (uint32_t failing = 1; failing < path->services; failing++) {
    lab_path_radius one = {.stock = find_run(&stock, rules, failing),
                           .ownership = find_run(path, rules, failing)};
    lab_path_radius_most(&radius, &one);
  }
  return radius;
}

void lab_path_radius_most(lab_path_radius *most,
                          const lab_path_radius *radius) {
  if (radius->stock > most->stock)
    most->stock = radius->stock;
  if (radius->ownership > most->ownership)
    most->ownership = radius->ownership;
}
