/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "limits.h"

#include "lab/base/failure.h"

#include <stdlib.h>

#define TOKEN 1000u /* gRPC counts thousandths */

/* Services that fail by themselves, or that a failing callee can make fail. The
 * callees' numbers are larger. */
static bool *find_fallible(const lab_fleet *fleet) {
  bool *fallible = lab_allocate(fleet->count, sizeof(*fallible));
  for (uint32_t i = fleet->count; i-- > 0;) {
    const lab_fleet_service *service = &fleet->services[i];
    const lab_fleet_edge *edges = fleet->edges + service->first;
    fallible[i] = service->fails > 0 || service->overloaded;
    for (uint32_t j = 0; j < service->edges && !fallible[i]; j++)
      fallible[i] = fallible[edges[j].callee] && !edges[j].fail_open;
  }
  return fallible;
}

static eown_budget *make_budget(double percent, unsigned replica,
                                uint32_t edge) {
  char *target = lab_format("replica %u edge %u", replica, edge);
  eown_budget *budget = eown_budget_acquire(target, percent, 0, NULL);
  if (!budget)
    lab_fail("out of memory");
  free(target);
  return budget;
}

static void make_budgets(lab_limits *limits, const lab_model *model,
                         unsigned replica) {
  const lab_fleet *fleet = model->fleet;
  bool *fallible = find_fallible(fleet);
  limits->budgets = lab_allocate(limits->edges, sizeof(void *));
  for (uint32_t i = 0; i < fleet->count; i++) {
    const lab_fleet_service *service = &fleet->services[i];
    for (uint32_t j = 0; j < service->edges && service->eown; j++) {
      uint32_t edge = service->first + j;
      if (fallible[fleet->edges[edge].callee])
        limits->budgets[edge] = make_budget(model->budget, replica, edge);
    }
  }
  free(fallible);
}

void lab_limits_init(lab_limits *limits, const lab_model *model,
                     unsigned replica) {
  *limits = (lab_limits){.edges = model->fleet->edge_count};
  if (lab_model_budgets(model))
    make_budgets(limits, model, replica);
  if (model->mode != LAB_MODE_THROTTLE)
    return;
  limits->tokens = lab_allocate(limits->edges, sizeof(*limits->tokens));
  limits->max_tokens = (uint32_t)(model->max_tokens * TOKEN);
  limits->token_ratio = (uint32_t)(model->token_ratio * TOKEN);
}

void lab_limits_reset(lab_limits *limits) {
  for (uint32_t i = 0; limits->tokens && i < limits->edges; i++)
    limits->tokens[i] = limits->max_tokens;
}

void lab_limits_clear(lab_limits *limits) {
  for (uint32_t i = 0; limits->budgets && i < limits->edges; i++)
    eown_budget_release(limits->budgets[i]);
  free(limits->budgets);
  free(limits->tokens);
  *limits = (lab_limits){0};
}

bool lab_limits_throttle_failure(lab_limits *limits, uint32_t edge) {
  uint32_t *tokens = &limits->tokens[edge];
  *tokens = *tokens > TOKEN ? *tokens - TOKEN : 0;
  return *tokens <= limits->max_tokens / 2;
}

void lab_limits_throttle_success(lab_limits *limits, uint32_t edge) {
  uint32_t tokens = limits->tokens[edge] + limits->token_ratio;
  limits->tokens[edge] =
      tokens < limits->max_tokens ? tokens : limits->max_tokens;
}
