/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_LIMITS_H
#define EOWN_LAB_LIMITS_H

#include "model.h"

#include "eown/budget.h"

/* What holds back the retries of each edge of one replica of the fleet: eown's
 * budgets, or gRPC's retryThrottling buckets. */
typedef struct lab_limits {
  uint32_t edges;
  eown_budget **budgets; /* by edge; NULL: none in force, or where the caller
                            has no eown or the callee cannot fail */
  uint32_t *tokens;      /* in thousandths; NULL: none in force */
  uint32_t max_tokens;
  uint32_t token_ratio;
} lab_limits;

/* Makes those that the model has in force. `replica` tells apart limits that
 * are in use at the same time. */
void lab_limits_init(lab_limits *limits, const lab_model *model,
                     unsigned replica);

/* Fills the buckets; budgets are to be emptied by time. */
void lab_limits_reset(lab_limits *limits);

void lab_limits_clear(lab_limits *limits);

/* The edge's budget; NULL: none in force. */
static inline eown_budget *lab_limits_budget(const lab_limits *limits,
                                             uint32_t edge) {
  return limits->budgets ? limits->budgets[edge] : NULL;
}

/* A call begins: its budget counts it. */
static inline void lab_limits_deposit(const lab_limits *limits, uint32_t edge,
                                      uint64_t now_ms) {
  eown_budget *budget = lab_limits_budget(limits, edge);
  if (budget)
    eown_budget_deposit(budget, now_ms);
}

/* A failure with a status that the policy lists, or a success, passes gRPC's
 * bucket; the first says whether retries are throttled from now on.
 * Source: gRPC gRFC A6, retry_throttle.cc. */
bool lab_limits_throttle_failure(lab_limits *limits, uint32_t edge);
void lab_limits_throttle_success(lab_limits *limits, uint32_t edge);

#endif /* EOWN_LAB_LIMITS_H */
