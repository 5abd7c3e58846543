/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "every_case.h"

#include "gtest_c.h"

static bool next_subset(uint8_t *subset, unsigned of) {
  *subset = (uint8_t)((*subset - of) & of);
  return *subset != 0;
}

static void check_case(const lab_case *of, every_case_says *says) {
  lab_world world;
  lab_world_play(&world, of, &lab_rules_core);
  for (unsigned i = 0; i < of->tree.services; i++)
    if (lab_set_has(world.failed & of->eown, i))
      CHECK_EQ(world.claims[i], says(&world, i));
}

static void check_tree(lab_case *of, every_case_says *says) {
  unsigned all = (1u << of->tree.services) - 1;
  while (next_subset(&of->failing, all))
    do
      do
        do
          check_case(of, says);
        while (next_subset(&of->lost, of->eown & of->tree.callers));
      while (next_subset(&of->eown, all));
    while (next_subset(&of->policy, of->tree.callers));
}

void every_case_check(lab_retry_by by, unsigned attempts,
                      every_case_says *says) {
  TEST_TRACE("%u attempts by %s", attempts, lab_retry_by_names[by]);
  for (unsigned n = 1; n <= 4; n++) {
    lab_case of = {.attempts = attempts, .retry_by = by};
    lab_tree_first(&of.tree, n);
    do
      check_tree(&of, says);
    while (lab_tree_next(&of.tree));
  }
}
