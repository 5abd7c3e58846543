/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_PATH_H
#define EOWN_LAB_RADIUS_PATH_H

#include "survey.h"

/* A service on the path. */
typedef struct radius_path_node {
  uint32_t node;
  double load[RADIUS_WAYS];     /* over its load without retries */
  bool multiplies[RADIUS_WAYS]; /* attempts, on its call to the next */
} radius_path_node;

/* The call path of the worst root on which most edges multiply under stock
 * retries: from the root to the service that fails. */
typedef struct radius_path {
  const radius_graph *graph;
  radius_path_node *nodes;
  uint32_t count;
} radius_path;

void radius_path_find(radius_path *path, const radius_survey *survey);

void radius_path_clear(radius_path *path);

#endif /* EOWN_LAB_RADIUS_PATH_H */
