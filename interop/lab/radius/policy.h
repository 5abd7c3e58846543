/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_POLICY_H
#define EOWN_LAB_RADIUS_POLICY_H

#include "graph.h"

#define RADIUS_ATTEMPTS_MAX 5u

/* Which services run eown. */
typedef enum radius_rollout {
  RADIUS_ROLLOUT_UNSAID, /* all, and the advice begins with none */
  RADIUS_ROLLOUT_ALL,
  RADIUS_ROLLOUT_NONE,
  RADIUS_ROLLOUT_LIST
} radius_rollout;

/* What a line of the policy says of services or edges. */
typedef enum radius_rule_kind {
  RADIUS_RULE_EOWN,             /* the service runs eown */
  RADIUS_RULE_NO_RETRY_SERVICE, /* it retries none of its calls */
  RADIUS_RULE_NO_RETRY,         /* the edge has no retry policy */
  RADIUS_RULE_FAIL_OPEN         /* the caller carries on without the callee */
} radius_rule_kind;

typedef struct radius_rule {
  radius_rule_kind kind;
  char *caller; /* or the service; owned */
  char *callee; /* NULL for a service; owned */
  char *origin; /* where it was said, for messages; owned */
  bool used;    /* some graph has it */
} radius_rule;

/* Retries as they are configured. Zero-initialised, then
 * radius_policy_init. */
typedef struct radius_policy {
  unsigned attempts; /* of each call, the first included */
  double budget;     /* retries per call under a budget, 0.1 for 10 percent */
  radius_rollout rollout;
  radius_rule *rules;
  uint32_t count;
  uint32_t capacity;
} radius_policy;

void radius_policy_init(radius_policy *policy);

/* Adds a rule; all text is copied. `callee` may be NULL. */
void radius_policy_add(radius_policy *policy, radius_rule_kind kind,
                       const char *caller, const char *callee,
                       const char *origin);

/* Marks the edges of the fleet, and in `eown` (one for each name of the fleet)
 * the services that run eown by the list. Names stand for every service of that
 * name, in all graphs. A rule that no graph has ends the program with status 2.
 */
void radius_policy_apply(radius_policy *policy, radius_fleet *fleet,
                         bool *eown);

void radius_policy_clear(radius_policy *policy);

#endif /* EOWN_LAB_RADIUS_POLICY_H */
