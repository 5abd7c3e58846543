/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "trees.h"

/* The services are numbered in preorder: a caller is the last one before that
 * is a level higher. */
static void find_callers(lab_tree *tree) {
  tree->callers = 0;
  for (unsigned i = 1; i < tree->services; i++) {
    unsigned caller = i - 1;
    while (caller > 0 && tree->depth[caller] + 1 != tree->depth[i])
      caller--;
    tree->caller[i] = (uint8_t)caller;
    tree->callers = (uint8_t)(tree->callers | 1u << caller);
  }
}

void lab_tree_first(lab_tree *tree, unsigned services) {
  *tree = (lab_tree){.services = services};
  for (unsigned i = 0; i < services; i++)
    tree->depth[i] = (uint8_t)i;
  find_callers(tree);
}

bool lab_tree_next(lab_tree *tree) {
  unsigned last = tree->services - 1;
  while (last > 0 && tree->depth[last] <= 1)
    last--;
  if (last == 0)
    return false;
  unsigned period = last - tree->caller[last];
  for (unsigned i = last; i < tree->services; i++)
    tree->depth[i] = tree->depth[i - period];
  find_callers(tree);
  return true;
}
