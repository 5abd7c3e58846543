/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Every call tree, and each once. */
#include "lab/prove/trees.h"

#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

/* The subtree of `service` in parentheses, its callees' sorted: the same for
 * trees that differ only in their order. */
static void write_form(const lab_tree *tree, unsigned service, char *form) {
  char below[LAB_TREE_MAX][2 * LAB_TREE_MAX + 1];
  unsigned count = 0;
  for (unsigned i = service + 1; i < tree->services; i++)
    if (tree->caller[i] == service)
      write_form(tree, i, below[count++]);
  qsort(below, count, sizeof(below[0]),
        (int (*)(const void *, const void *))strcmp);
  strcpy(form, "(");
  for (unsigned i = 0; i < count; i++)
    strcat(form, below[i]);
  strcat(form, ")");
}

static void check_tree(const lab_tree *tree) {
  unsigned callers = 0;
  for (unsigned i = 1; i < tree->services; i++) {
    CHECK_LT(tree->caller[i], i);
    CHECK_EQ(tree->depth[tree->caller[i]] + 1, tree->depth[i]);
    callers |= 1u << tree->caller[i];
  }
  CHECK_EQ(callers, tree->callers);
}

EOWN_TEST(Trees, EachOnce) {
  /* OEIS A000081. */
  static const int counts[] = {1, 1, 2, 4, 9, 20, 48};
  char forms[48][2 * LAB_TREE_MAX + 1];
  for (unsigned n = 1; n <= LAB_TREE_MAX; n++) {
    TEST_TRACE("%u services", n);
    lab_tree tree;
    int count = 0;
    lab_tree_first(&tree, n);
    do {
      REQUIRE_LE(count + 1, counts[n - 1]);
      check_tree(&tree);
      write_form(&tree, 0, forms[count]);
      for (int i = 0; i < count; i++)
        CHECK_STRNE(forms[i], forms[count]);
      count++;
    } while (lab_tree_next(&tree));
    CHECK_EQ(counts[n - 1], count);
  }
}

EOWN_TEST(Trees, BeginsWithAChain) {
  lab_tree tree;
  lab_tree_first(&tree, 4);
  for (unsigned i = 1; i < 4; i++)
    CHECK_EQ(i - 1, tree.caller[i]);
  CHECK_EQ(7, tree.callers);
}
