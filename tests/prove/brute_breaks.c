/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "brute_case.h"

/* Walks: `at` from `from` up to the callee of the root. */
#define EACH_ON_PATH(at, from, of)                                             \
  for (int at = (from); at > 0; at = (of)->caller[at])

static bool is_below(const brute_fleet *of, int service, int above) {
  while (service > above)
    service = of->caller[service];
  return service == above;
}

/* The error at `origin` is retried, by `caller` or below. */
static bool is_retried_up_to(const brute_fleet *of, const brute_seen *seen,
                             int origin, int caller) {
  EACH_ON_PATH(at, origin, of) {
    if (at == caller)
      return false;
    if (seen->retried[at])
      return true;
  }
  return false;
}

static bool breaks_retried(const brute_fleet *of, const brute_seen *seen) {
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

static bool breaks_each_retried(const brute_fleet *of, const brute_seen *seen) {
  for (int origin = 1; origin < of->services; origin++) {
    bool covered = false;
    EACH_ON_PATH(at, origin, of)
    covered |= of->policy[of->caller[at]];
    if (of->fails[origin] && covered && !is_retried_up_to(of, seen, origin, -1))
      return true;
  }
  return false;
}

static bool breaks_load(const brute_fleet *of, const brute_seen *with,
                        const brute_seen *without) {
  for (int i = 0; i < of->services; i++)
    if (with->load[i] > without->load[i] ||
        (of->eown[of->caller[i]] && with->most[i] > of->attempts))
      return true;
  return false;
}

/* The caller of `at` retries, though a caller below it on the path could. */
static bool breaks_next_to_owner(const brute_fleet *of,
                                 const brute_seen *seen) {
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
static int count_parts(const brute_fleet *of, int origin) {
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

static bool breaks_gaps(const brute_fleet *of, const brute_seen *seen) {
  for (int origin = 1; origin < of->services; origin++) {
    int retries = 0;
    EACH_ON_PATH(at, origin, of)
    retries += seen->retried[at];
    if (of->fails[origin] && retries > count_parts(of, origin))
      return true;
  }
  return false;
}

static bool breaks_one_owner(const brute_fleet *of, const brute_seen *seen) {
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

bool brute_breaks(lab_invariant invariant, const brute_fleet *of,
                  const brute_seen *with, const brute_seen *without) {
  switch (invariant) {
  case LAB_INVARIANT_RETRIED:
    return breaks_retried(of, with);
  case LAB_INVARIANT_EACH_RETRIED:
    return breaks_each_retried(of, with);
  case LAB_INVARIANT_LOAD:
    return breaks_load(of, with, without);
  case LAB_INVARIANT_NEXT_TO_OWNER:
    return breaks_next_to_owner(of, with);
  case LAB_INVARIANT_GAPS:
    return breaks_gaps(of, with);
  default:
    return breaks_one_owner(of, with);
  }
}
