/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "brute.h"

#include "brute_case.h"

#include <string.h>

static lab_rollout rollout_of(const brute_fleet *of) {
  int eown = 0, lost = 0;
  for (int i = 0; i < of->services; i++) {
    eown += of->eown[i];
    lost += of->lost[i];
  }
  if (eown == 0)
    return LAB_ROLLOUT_NOBODY;
  if (eown == of->services)
    return lost ? LAB_ROLLOUT_ALL_LOST : LAB_ROLLOUT_ALL;
  return lost ? LAB_ROLLOUT_SOME_LOST : LAB_ROLLOUT_SOME;
}

static void play(brute_counts *counts, const brute_fleet *of) {
  brute_seen with = {0}, without = {0};
  brute_play(of, false, &with);
  brute_play(of, true, &without);
  lab_rollout rollout = rollout_of(of);
  counts->cases[rollout]++;
  for (int i = 0; i < LAB_INVARIANT_N; i++)
    counts->broken[i][rollout] +=
        brute_breaks((lab_invariant)i, of, &with, &without);
}

/* Every choice, service by service. */
static void choose(brute_counts *counts, brute_fleet *of, int service,
                   bool any) {
  if (service == of->services) {
    if (any)
      play(counts, of);
    return;
  }
  bool calls = false;
  for (int i = 1; i < of->services; i++)
    calls |= of->caller[i] == service;
  for (int fails = 0; fails < 2; fails++)
    for (int policy = 0; policy < (calls ? 2 : 1); policy++)
      for (int eown = 0; eown < 2; eown++)
        for (int lost = 0; lost < (calls && eown ? 2 : 1); lost++) {
          of->fails[service] = fails;
          of->policy[service] = policy;
          of->eown[service] = eown;
          of->lost[service] = lost;
          choose(counts, of, service + 1, any || fails);
        }
}

/* A number that is the same for trees that differ only in order: of each
 * subtree the sorted numbers of those below, as balanced brackets in bits. */
static unsigned form_of(const brute_fleet *of, int service) {
  unsigned below[BRUTE_MAX], lengths[BRUTE_MAX];
  int count = 0;
  for (int i = service + 1; i < of->services; i++)
    if (of->caller[i] == service)
      below[count++] = form_of(of, i);
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      if (below[j] > below[i]) {
        unsigned swap = below[i];
        below[i] = below[j];
        below[j] = swap;
      }
  unsigned form = 1;
  for (int i = 0; i < count; i++) {
    lengths[i] = 0;
    while (below[i] >> lengths[i])
      lengths[i]++;
    form = form << lengths[i] | below[i];
  }
  return form << 1;
}

/* Every choice of callers, of which one of each form is explored. */
static void plant(brute_counts *counts, brute_fleet *of, int service,
                  bool *known) {
  if (service == of->services) {
    unsigned form = form_of(of, 0);
    if (known[form])
      return;
    known[form] = true;
    counts->trees++;
    choose(counts, of, 0, false);
    return;
  }
  for (int caller = 0; caller < service; caller++) {
    of->caller[service] = caller;
    plant(counts, of, service + 1, known);
  }
}

void brute_explore(brute_counts *counts, int services, int attempts,
                   lab_retry_by by) {
  memset(counts, 0, sizeof(*counts));
  for (int n = 1; n <= services; n++) {
    bool known[1 << (2 * BRUTE_MAX + 1)] = {false};
    brute_fleet of = {.services = n,
                      .attempts = attempts,
                      .policies = by != LAB_RETRY_BY_APPLICATION,
                      .loops = by != LAB_RETRY_BY_GRPC};
    plant(counts, &of, 1, known);
  }
}
