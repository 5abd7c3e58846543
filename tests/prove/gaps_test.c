/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The bound of gaps where loops are written by hand: it holds, it is met, and
 * 1 + g does not hold. */
#include "lab/prove/prove.h"

#include "gtest_c.h"

static const lab_retry_by loops[] = {LAB_RETRY_BY_APPLICATION,
                                     LAB_RETRY_BY_BOTH};

EOWN_TEST(ProveGaps, WhatHasToHoldHolds) {
  for (int by = 0; by < LAB_RETRY_BY_N; by++) {
    lab_proof proof;
    lab_prove_by(&proof, 5, 2, (lab_retry_by)by, &lab_rules_core);
    CHECK_TRUE(lab_proof_holds(&proof));
    for (int j = 0; j < LAB_ROLLOUT_N; j++) {
      CHECK_EQ(0, proof.findings[LAB_INVARIANT_RETRIED][j].broken);
      CHECK_EQ(0, proof.findings[LAB_INVARIANT_LOAD][j].broken);
      CHECK_EQ(0, proof.findings[LAB_INVARIANT_GAPS][j].broken);
    }
  }
}

/* A chain A, B, C... whose last service fails and all callers of which may
 * retry: 'e' has eown, 's' has not, 'l' loses the context. */
static void play_chain(lab_world *world, lab_case *of, const char *services,
                       lab_retry_by by) {
  unsigned count = 0;
  *of = (lab_case){.attempts = 2, .retry_by = by};
  for (; services[count]; count++) {
    unsigned bit = 1u << count;
    of->eown = (uint8_t)(of->eown | (services[count] != 's' ? bit : 0));
    of->lost = (uint8_t)(of->lost | (services[count] == 'l' ? bit : 0));
  }
  lab_tree_first(&of->tree, count);
  of->policy = of->tree.callers;
  of->failing = (uint8_t)(1u << (count - 1));
  lab_world_play(world, of, &lab_rules_core);
}

static int count_retries(const char *services, lab_retry_by by) {
  lab_case of;
  lab_world world;
  play_chain(&world, &of, services, by);
  CHECK_TRUE(lab_invariant_holds(LAB_INVARIANT_GAPS, &world));
  return __builtin_popcount(world.retried);
}

/* 1 + g + h: of gaps between the ends, and loops by hand above eown. */
EOWN_TEST(ProveGaps, RetryingCallers) {
  static const struct {
    const char *services;
    int grpc, loops;
  } rows[] = {
      {"ee", 1, 1},      {"eeee", 1, 1},   {"see", 1, 2},   {"ese", 2, 2},
      {"esee", 2, 3},    {"ssss", 3, 3},   {"esse", 3, 3},  {"essee", 3, 4},
      {"sesee", 2, 4},   {"esesee", 3, 5}, {"elee", 2, 2},  {"slee", 2, 2},
      {"sesesee", 3, 6}, {"eles", 2, 2},   {"seees", 1, 2},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    TEST_TRACE("%s", rows[i].services);
    CHECK_EQ(rows[i].grpc, count_retries(rows[i].services, LAB_RETRY_BY_GRPC));
    for (size_t j = 0; j < 2; j++)
      CHECK_EQ(rows[i].loops, count_retries(rows[i].services, loops[j]));
  }
}

/* 1 + g + h, of a chain. */
static int bound_of(const lab_case *of) {
  int bound = 1;
  unsigned gaps = of->lost | (unsigned)~of->eown;
  for (unsigned i = 0; i + 1 < of->tree.services; i++) {
    bool by_hand = !lab_set_has(of->eown, i) && i + 2 < of->tree.services &&
                   !lab_set_has(gaps, i + 1);
    bound += (i > 0 && lab_set_has(gaps, i)) + by_hand;
  }
  return bound;
}

static void check_met(const char *services) {
  lab_case of;
  lab_world world;
  play_chain(&world, &of, services, LAB_RETRY_BY_APPLICATION);
  if (__builtin_popcount(world.retried) != bound_of(&of))
    CHECK_STREQ("1 + g + h", services);
}

/* No smaller bound will do: every chain all callers of which may retry meets
 * it. */
EOWN_TEST(ProveGaps, TheBoundIsMet) {
  unsigned chains = 3;
  for (unsigned n = 2; n <= LAB_TREE_MAX; n++) {
    chains *= 3;
    for (unsigned chain = 0; chain < chains; chain++) {
      char services[LAB_TREE_MAX + 1] = {0};
      for (unsigned i = 0, rest = chain; i < n; i++, rest /= 3)
        services[i] = "esl"[rest % 3];
      check_met(services);
    }
  }
}

/* The example in the invariant's text: A without eown, g = 0. */
EOWN_TEST(ProveGaps, CounterexampleToTheOldBound) {
  for (size_t i = 0; i < 2; i++) {
    CHECK_EQ(2, count_retries("see", loops[i]));
    CHECK_CONTAINS("1 + g", lab_invariant_text(LAB_INVARIANT_GAPS, loops[i]));
    CHECK_CONTAINS("A calls B, B calls C, C fails; A has no eown",
                   lab_invariant_text(LAB_INVARIANT_GAPS, loops[i]));
  }
  CHECK_EQ(1, count_retries("see", LAB_RETRY_BY_GRPC));
}
