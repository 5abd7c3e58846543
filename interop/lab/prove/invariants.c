/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "invariants.h"

/* The services in whose subtree of failed calls (themselves included) one of
 * `marked` is: the marks carried up the errors' paths. */
static unsigned carried_up(const lab_world *world, unsigned marked) {
  const lab_tree *tree = &world->of->tree;
  unsigned carried = marked & world->failed;
  for (unsigned i = tree->services; i-- > 1;)
    if (lab_set_has(carried, i))
      carried |= 1u << tree->caller[i];
  return carried;
}

/* Failed services that some failed callee of which is in `set`. */
static unsigned callers_of(const lab_world *world, unsigned set) {
  const lab_tree *tree = &world->of->tree;
  unsigned callers = 0;
  for (unsigned i = 1; i < tree->services; i++)
    if (lab_set_has(set & world->failed, i))
      callers |= 1u << tree->caller[i];
  return callers;
}

static bool retried(const lab_world *world) {
  const lab_case *of = world->of;
  unsigned below = carried_up(world, world->retried);
  for (unsigned i = 1; i < of->tree.services; i++)
    if (lab_set_has(world->failed, i) && !lab_set_has(below, i) &&
        lab_set_has(of->policy, of->tree.caller[i]))
      return false;
  return true;
}

static bool each_retried(const lab_world *world) {
  const lab_case *of = world->of;
  for (unsigned origin = 1; origin < of->tree.services; origin++) {
    if (!lab_set_has(of->failing, origin))
      continue;
    bool covered = false, again = false;
    for (unsigned i = origin; i > 0; i = of->tree.caller[i]) {
      covered |= lab_set_has(of->policy, of->tree.caller[i]);
      again |= lab_set_has(world->retried, i);
    }
    if (covered && !again)
      return false;
  }
  return true;
}

/* Attempts of a policy and of the loop above it count together. */
static bool keeps_maximum(const lab_world *world, unsigned callee) {
  const lab_case *of = world->of;
  return !lab_set_has(of->eown, of->tree.caller[callee]) ||
         world->attempts[callee] <= of->attempts;
}

static bool load(const lab_world *world) {
  for (unsigned i = 0; i < world->of->tree.services; i++)
    if (world->loads[i] > world->stock_loads[i] || !keeps_maximum(world, i))
      return false;
  return true;
}

/* Services below which, on the path of an error, a caller has a policy. */
static bool next_to_owner(const lab_world *world) {
  unsigned able = callers_of(world, world->failed) & world->of->policy;
  return (carried_up(world, able) & world->retried) == 0;
}

/* The caller of `callee` retries by hand what the callee passes on. */
static bool heeds_nothing(const lab_case *of, unsigned gaps, unsigned origin,
                          unsigned callee) {
  return lab_retry_by_loop(of->retry_by) && callee != origin &&
         !lab_set_has(of->eown, of->tree.caller[callee]) &&
         !lab_set_has(gaps, callee);
}

static bool gaps(const lab_world *world) {
  const lab_case *of = world->of;
  unsigned gap = of->lost | (unsigned)~of->eown;
  for (unsigned origin = 1; origin < of->tree.services; origin++) {
    if (!lab_set_has(of->failing, origin))
      continue;
    unsigned retries = 0, allowed = 1;
    for (unsigned i = origin; i > 0; i = of->tree.caller[i]) {
      retries += lab_set_has(world->retried, i);
      allowed += i != origin && lab_set_has(gap, i);
      allowed += heeds_nothing(of, gap, origin, i);
    }
    if (retries > allowed)
      return false;
  }
  return true;
}

static bool one_owner(const lab_world *world) {
  unsigned claimed = 0, unclaimed = 0;
  for (unsigned i = 0; i < world->of->tree.services; i++) {
    claimed |= (unsigned)(world->claims[i] == EOWN_CLAIM_CLAIMED) << i;
    unclaimed |= (unsigned)(world->claims[i] == EOWN_CLAIM_UNCLAIMED) << i;
  }
  unsigned passed = callers_of(world, carried_up(world, unclaimed));
  return (passed & claimed) == 0;
}

static const struct {
  bool (*holds)(const lab_world *world);
  const char *name;
  const char *text;
} table[LAB_INVARIANT_N] = {
    [LAB_INVARIANT_RETRIED] =
        {retried, "retried",
         "an error that some retry policy on its path covers is retried at "
         "least once; errors that meet in one service count as one"},
    [LAB_INVARIANT_EACH_RETRIED] =
        {each_retried, "each-retried",
         "the same for each error by itself, also where errors meet"},
    [LAB_INVARIANT_LOAD] = {load, "load",
                            "no service gets more load than under stock"},
    [LAB_INVARIANT_NEXT_TO_OWNER] =
        {next_to_owner, "next-to-owner",
         "only the caller next to the owner retries: the first one with a "
         "retry policy on the error's path"},
    [LAB_INVARIANT_GAPS] =
        {gaps, "gaps",
         "each service without eown and each lost context on the path adds one "
         "retrying caller at most"},
    [LAB_INVARIANT_ONE_OWNER] =
        {one_owner, "one-owner",
         "a claim never crosses two owners: nobody claims what was passed on "
         "unclaimed below"},
};

static const char load_by_both[] =
    "no service gets more load than under stock, and a caller with eown makes "
    "no more attempts than its policy and its loop may make each";

static const char gaps_by_hand[] =
    "each service without eown and each lost context on the path adds one "
    "retrying caller at most (1 + g), and each caller without eown right above "
    "a caller that has eown and its context one more: its loop is written by "
    "hand and heeds neither claim nor pushback (A calls B, B calls C, C fails; "
    "A has no eown: g is 0, and both A and B retry)";

bool lab_invariant_holds(lab_invariant invariant, const lab_world *world) {
  return table[invariant].holds(world);
}

const char *lab_invariant_name(lab_invariant invariant) {
  return table[invariant].name;
}

const char *lab_invariant_text(lab_invariant invariant, lab_retry_by by) {
  if (invariant == LAB_INVARIANT_GAPS && lab_retry_by_loop(by))
    return gaps_by_hand;
  if (invariant == LAB_INVARIANT_LOAD && by == LAB_RETRY_BY_BOTH)
    return load_by_both;
  return table[invariant].text;
}
