/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_SURVEY_H
#define EOWN_LAB_RADIUS_SURVEY_H

#include "policy.h"
#include "storm.h"

/* The ways to deal with errors that are compared. */
typedef enum radius_way {
  RADIUS_STOCK,          /* retries alone */
  RADIUS_BUDGET,         /* with a retry budget on every channel */
  RADIUS_CHAIN_STOP,     /* with chain stop on every channel */
  RADIUS_OWNERSHIP,      /* with eown as rolled out */
  RADIUS_OWNERSHIP_FULL, /* with eown everywhere; only where the roll-out is
                            partial */
  RADIUS_WAYS
} radius_way;

/* The worst that comes of some failure, by way. */
typedef struct radius_worst {
  uint32_t radius[RADIUS_WAYS];
  double amplification[RADIUS_WAYS];
} radius_worst;

/* One root: the worst over all services that may fail. */
typedef struct radius_row {
  radius_worst worst;
  uint32_t graph;   /* of the fleet */
  uint32_t root;    /* node */
  uint32_t failing; /* node whose failure gives the stock radius */
} radius_row;

/* The means of the radius over all roots. */
typedef struct radius_means {
  double plain[RADIUS_WAYS];
  double weighted[RADIUS_WAYS]; /* by the graphs' num */
} radius_means;

typedef struct radius_survey {
  radius_fleet *fleet;
  radius_mode modes[RADIUS_WAYS];
  uint32_t ways; /* those in use: RADIUS_WAYS, or one less */
  radius_row *rows;
  uint32_t count;
  uint32_t capacity;
  radius_worst *services; /* by name: the worst when it fails, over all roots */
  radius_worst all;       /* the worst over all */
  radius_means means;
  uint64_t cycles; /* edges broken, self-calls among them */
  uint64_t self_calls;
  uint32_t rootless;  /* graphs without a root of their own */
  uint64_t unreached; /* services that no root reaches */
  uint64_t steps;
} radius_survey;

/* The name of a way in JSON ("chain_stop"); static text. */
const char *radius_way_name(radius_way way);

/* Examines every root of every graph. `eown` is by name, for a roll-out by
 * list; the survey borrows it and the fleet. */
void radius_survey_run(radius_survey *survey, radius_fleet *fleet,
                       const radius_policy *policy, const bool *eown);

void radius_survey_clear(radius_survey *survey);

#endif /* EOWN_LAB_RADIUS_SURVEY_H */
