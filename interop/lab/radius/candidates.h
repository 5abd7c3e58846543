/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_CANDIDATES_H
#define EOWN_LAB_RADIUS_CANDIDATES_H

#include "trial.h"

/* A service that could end a longest run of one of the worst roots. */
typedef struct radius_candidate {
  uint32_t name;
  double score; /* roots it is inside such a run of, by num and by how evenly */
                /* it cuts the run */
  uint32_t *rows; /* theirs; owned */
  uint32_t row_count;
} radius_candidate;

/* The candidates with the highest scores, best first. */
#define RADIUS_CANDIDATES_MAX 16u
typedef struct radius_candidates {
  radius_candidate items[RADIUS_CANDIDATES_MAX];
  uint32_t count;
} radius_candidates;

/* Only a service with edges that multiply on both sides can lower the radius:
 * finds those inside the longest runs of the roots with the largest radius. */
void radius_candidates_find(radius_candidates *candidates, radius_trial *trial);

void radius_candidates_clear(radius_candidates *candidates);

#endif /* EOWN_LAB_RADIUS_CANDIDATES_H */
