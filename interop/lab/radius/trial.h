/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_TRIAL_H
#define EOWN_LAB_RADIUS_TRIAL_H

#include "survey.h"

/* How a root stands under a roll-out: the worst over all that may fail. */
typedef struct radius_standing {
  uint32_t radius;
  uint32_t reach;
  double runs; /* longest runs of edges that multiply */
} radius_standing;

/* How all roots stand together. */
typedef struct radius_total {
  uint32_t radius_max;
  uint32_t reach_max;
  double at_radius; /* roots at that radius, */
  double runs;      /* their longest runs, */
  double at_reach;  /* and roots at that reach: all weighted by num */
  double mean;      /* of the radius, plain */
} radius_total;

/* Tries roll-outs: standings of the rows of a survey. */
typedef struct radius_trial {
  const radius_survey *survey;
  radius_mode mode;           /* borrows `eown` */
  bool *eown;                 /* by name: those that run it for now; owned */
  radius_standing *standings; /* by row; owned */
  radius_walk walk;
  radius_storm storm;
} radius_trial;

/* Begins with a roll-out; `eown` is copied, and NULL for none. */
void radius_trial_init(radius_trial *trial, const radius_survey *survey,
                       const radius_policy *policy, const bool *eown);

/* Examines one row under the roll-out as it is now. */
radius_standing radius_trial_row(radius_trial *trial, uint32_t row);

/* Examines again all rows whose graph has the service `name`; all rows where it
 * is RADIUS_NONE. */
void radius_trial_renew(radius_trial *trial, uint32_t name);

/* The total of all rows. Where `instead` is not NULL, the rows that have an
 * entry with a radius other than RADIUS_NONE stand as that says. */
radius_total radius_trial_total(const radius_trial *trial,
                                const radius_standing *instead);

void radius_trial_clear(radius_trial *trial);

#endif /* EOWN_LAB_RADIUS_TRIAL_H */
