/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_NODE_H
#define EOWN_TESTS_E2E_NODE_H

#include "run.h"

#include <jansson.h>

/* An eown-node that serves. */
typedef struct e2e_node {
  e2e_child child;
  char name[8];
  int port;
} e2e_node;

/* Starts a node with one retry in mode enforce; `words` (up to NULL) come last
 * and win. `callee` (NULL: none) is a node that it calls. Waits until it
 * serves. */
void e2e_node_start(e2e_node *node, const char *name, const e2e_node *callee,
                    const char *const *words);

/* Ends it and returns what it counted; the caller owns the object. Fails the
 * test where it does not end with status 0 or complains. */
json_t *e2e_node_stop(e2e_node *node);

#endif /* EOWN_TESTS_E2E_NODE_H */
