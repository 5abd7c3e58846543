/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROVE_TREES_H
#define EOWN_LAB_PROVE_TREES_H

#include <stdbool.h>
#include <stdint.h>

#define LAB_TREE_MAX 7

/* A call tree: service 0 is the root, every other one has a caller with a
 * smaller number. Sets of services are bits. */
typedef struct lab_tree {
  unsigned services;
  uint8_t depth[LAB_TREE_MAX];  /* of the root: 0 */
  uint8_t caller[LAB_TREE_MAX]; /* of the root: 0 */
  uint8_t callers;              /* services that call somebody */
} lab_tree;

/* The first tree of `services` services (1 to LAB_TREE_MAX): a chain. */
void lab_tree_first(lab_tree *tree, unsigned services);

/* Steps to the next one, false after the last. Of the trees that differ only in
 * the order of callees one is visited: 1, 1, 2, 4, 9, 20, 48 of them.
 * Source: Beyer and Hedetniemi, Constant time generation of rooted trees. */
bool lab_tree_next(lab_tree *tree);

#endif /* EOWN_LAB_PROVE_TREES_H */
