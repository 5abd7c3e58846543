/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "brute.h"

#include <stdbool.h>
#include <string.h>

#define N 5

/* One case, a member for each service. */
typedef struct fleet {
  int services;
  int attempts;
  bool policies, loops; /* who retries */
  int caller[N];
  bool fails[N], policy[N], eown[N], lost[N];
} fleet;

typedef enum word { NO_WORD, CLAIMS, UNCLAIMS } word;

/* What was seen while the calls were played. */
typedef struct seen {
  int load[N];
  bool failed[N];
  bool retried[N]; /* its caller called it again */
  int most[N];     /* attempts at it for one call of its caller */
  word said[N];
} seen;

typedef struct answer {
  bool error;
  word word;
} answer;

static answer call(const fleet *of, int service, bool stock, seen *seen);

/* The outbound calls of one caller to one callee, to their end. */
typedef struct outbound {
  answer last;
  int made;
} outbound;

/* An unclaimed error stops eown by rule 1 and other policies by its pushback.
 */
static void play_call(const fleet *of, int caller, int callee, bool stock,
                      seen *seen, outbound *out) {
  int within = 0;
  bool again = true;
  while (again) {
    out->last = call(of, callee, stock, seen);
    out->made++;
    within++;
    again = of->policies && out->last.error && of->policy[caller] &&
            within < of->attempts && out->last.word != UNCLAIMS;
  }
}

/* A loop of eown's heeds the claim and counts all attempts; any other looks at
 * its own count alone. */
static outbound play_outbound(const fleet *of, int caller, int callee,
                              bool stock, seen *seen) {
  bool eown = of->eown[caller] && !stock;
  outbound out = {0};
  bool again = true;
  for (int calls = 1; again; calls++) {
    play_call(of, caller, callee, stock, seen, &out);
    again = of->loops && out.last.error && of->policy[caller] &&
            calls < of->attempts;
    if (again && eown)
      again = out.last.word != UNCLAIMS && out.made < of->attempts;
  }
  seen->retried[callee] |= out.made > 1;
  if (out.made > seen->most[callee])
    seen->most[callee] = out.made;
  return out;
}

/* Calls a service; `stock`: nobody has eown. */
static answer call(const fleet *of, int service, bool stock, seen *seen) {
  bool eown = of->eown[service] && !stock;
  bool below = false, had_its_retry = false;
  seen->load[service]++;
  for (int callee = service + 1; callee < of->services; callee++) {
    if (of->caller[callee] != service)
      continue;
    outbound out = play_outbound(of, service, callee, stock, seen);
    below |= out.last.error;
    had_its_retry |= out.last.error && (out.last.word == UNCLAIMS ||
                                        out.made > 1 || of->policy[service]);
  }
  answer own = {.error = below || of->fails[service]};
  if (own.error && eown) {
    bool passes_on = below && had_its_retry && !of->lost[service];
    own.word = passes_on ? UNCLAIMS : CLAIMS;
  }
  seen->failed[service] = own.error;
  seen->said[service] = own.word;
  return own;
}

/* Walks: `at` from `from` up to the callee of the root. */
#define EACH_ON_PATH(at, from, of)                                             \
  for (int at = (from); at > 0; at = (of)->caller[at])

static bool is_below(const fleet *of, int service, int above) {
  while (service > above)
    service = of->caller[service];
  return service == above;
}

/* The error at `origin` is retried, by `caller` or below. */
static bool is_retried_up_to(const fleet *of, const seen *seen, int origin,
                             int caller) {
  EACH_ON_PATH(at, origin, of) {
    if (at == caller)
      return false;
    if (seen->retried[at])
      return true;
  }
  return false;
}

static bool breaks_retried(const fleet *of, const seen *seen) {
  for (int callee = 1; callee < of->services; callee++) {
    int caller = of->caller[callee];
    if (!seen->failed[callee] || !of->policy[caller])
      continue;
    bool any = false;
    for (int origin = callee; origin < of->services; origin++)
      any |= of->fails[origin] && is_below(of, origin, callee) &&
             is_retried_up_to(of, seen, origin, caller);
    if (!any)
      return true;
  }
  return false;
}

static bool breaks_each_retried(const fleet *of, const seen *seen) {
  for (int origin = 1; origin < of->services; origin++) {
    bool covered = false;
    EACH_ON_PATH(at, origin, of)
    covered |= of->policy[of->caller[at]];
    if (of->fails[origin] && covered && !is_retried_up_to(of, seen, origin, -1))
      return true;
  }
  return false;
}

static bool breaks_load(const fleet *of, const seen *with,
                        const seen *without) {
  for (int i = 0; i < of->services; i++)
    if (with->load[i] > without->load[i] ||
        (of->eown[of->caller[i]] && with->most[i] > of->attempts))
      return true;
  return false;
}

/* The caller of `at` retries, though a caller below it on the path could. */
static bool breaks_next_to_owner(const fleet *of, const seen *seen) {
  for (int origin = 1; origin < of->services; origin++) {
    bool could = false;
    if (!of->fails[origin])
      continue;
    EACH_ON_PATH(at, origin, of) {
      if (seen->retried[at] && could)
        return true;
      could |= of->policy[of->caller[at]];
    }
  }
  return false;
}

/* The callers above `origin` in parts, each closed by one that has no eown or
 * loses its context: each part has one that retries. Where it is closed by a
 * loop without eown, that one retries beside another of the part. */
static int count_parts(const fleet *of, int origin) {
  int allowed = 0;
  bool others = false, open = false;
  EACH_ON_PATH(at, origin, of) {
    int caller = of->caller[at];
    bool closes = of->lost[caller] || !of->eown[caller];
    allowed += !open;
    allowed += others && of->loops && !of->eown[caller];
    others = !closes;
    open = !closes;
  }
  return allowed;
}

static bool breaks_gaps(const fleet *of, const seen *seen) {
  for (int origin = 1; origin < of->services; origin++) {
    int retries = 0;
    EACH_ON_PATH(at, origin, of)
    retries += seen->retried[at];
    if (of->fails[origin] && retries > count_parts(of, origin))
      return true;
  }
  return false;
}

static bool breaks_one_owner(const fleet *of, const seen *seen) {
  for (int origin = 0; origin < of->services; origin++) {
    bool passed_on = false;
    for (int at = origin; of->fails[origin]; at = of->caller[at]) {
      if (passed_on && seen->said[at] == CLAIMS)
        return true;
      passed_on |= seen->said[at] == UNCLAIMS;
      if (at == 0)
        break;
    }
  }
  return false;
}

static lab_rollout rollout_of(const fleet *of) {
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

static void play(brute_counts *counts, const fleet *of) {
  seen with = {0}, without = {0};
  call(of, 0, false, &with);
  call(of, 0, true, &without);
  lab_rollout rollout = rollout_of(of);
  counts->cases[rollout]++;
  counts->broken[LAB_INVARIANT_RETRIED][rollout] += breaks_retried(of, &with);
  counts->broken[LAB_INVARIANT_EACH_RETRIED][rollout] +=
      breaks_each_retried(of, &with);
  counts->broken[LAB_INVARIANT_LOAD][rollout] +=
      breaks_load(of, &with, &without);
  counts->broken[LAB_INVARIANT_NEXT_TO_OWNER][rollout] +=
      breaks_next_to_owner(of, &with);
  counts->broken[LAB_INVARIANT_GAPS][rollout] += breaks_gaps(of, &with);
  counts->broken[LAB_INVARIANT_ONE_OWNER][rollout] +=
      breaks_one_owner(of, &with);
}

/* Every choice, service by service. */
static void choose(brute_counts *counts, fleet *of, int service, bool any) {
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
static unsigned form_of(const fleet *of, int service) {
  unsigned below[N], lengths[N];
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
static void plant(brute_counts *counts, fleet *of, int service, bool *known) {
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
    bool known[1 << (2 * N + 1)] = {false};
    fleet of = {.services = n,
                .attempts = attempts,
                .policies = by != LAB_RETRY_BY_APPLICATION,
                .loops = by != LAB_RETRY_BY_GRPC};
    plant(counts, &of, 1, known);
  }
}
