/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "policy.h"

#include "lab/base/failure.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

void radius_policy_init(radius_policy *policy) {
  *policy = (radius_policy){.attempts = 2, .budget = 0.1};
}

void radius_policy_add(radius_policy *policy, radius_rule_kind kind,
                       const char *caller, const char *callee,
                       const char *origin) {
  policy->rules = radius_room(policy->rules, policy->count, &policy->capacity,
                              sizeof(*policy->rules));
  policy->rules[policy->count++] = (radius_rule){
      .kind = kind,
      .caller = lab_format("%s", caller),
      .callee = callee ? lab_format("%s", callee) : NULL,
      .origin = lab_format("%s", origin),
  };
}

static void apply_to_edge(radius_edge *edge, radius_rule_kind kind) {
  switch (kind) {
  case RADIUS_RULE_NO_RETRY_SERVICE:
  case RADIUS_RULE_NO_RETRY:
    edge->no_retry = true;
    break;
  case RADIUS_RULE_FAIL_OPEN:
    edge->fail_open = true;
    break;
  case RADIUS_RULE_EOWN:
    break;
  }
}

static void apply_to_edges(radius_rule *rule, const radius_fleet *fleet,
                           radius_graph *graph, uint32_t caller) {
  for (uint32_t i = graph->first[caller]; i < graph->first[caller + 1]; i++) {
    radius_edge *edge = &graph->edges[i];
    if (rule->callee &&
        strcmp(rule->callee, radius_node_name(fleet, graph, edge->callee)) != 0)
      continue;
    apply_to_edge(edge, rule->kind);
    rule->used = true;
  }
}

/* The rules by their caller: `named` has for each name of the fleet the first
 * rule + 1, and `next` for each rule the next one + 1. */
typedef struct by_caller {
  uint32_t *named;
  uint32_t *next;
} by_caller;

static void apply_to_node(radius_policy *policy, const by_caller *index,
                          const radius_fleet *fleet, radius_graph *graph,
                          uint32_t node) {
  uint32_t name = graph->names[node];
  for (uint32_t i = index->named[name]; i; i = index->next[i - 1]) {
    radius_rule *rule = &policy->rules[i - 1];
    if (rule->kind != RADIUS_RULE_EOWN)
      apply_to_edges(rule, fleet, graph, node);
  }
}

/* Names of one text in several scopes share the chain of rules. */
static by_caller index_rules(radius_policy *policy, const radius_fleet *fleet,
                             bool *eown) {
  radius_names callers = {0};
  by_caller index = {
      lab_allocate((size_t)fleet->names.count + 1, sizeof(uint32_t)),
      lab_allocate((size_t)policy->count + 1, sizeof(uint32_t)),
  };
  uint32_t *last =
      lab_allocate((size_t)policy->count + 1, sizeof(*last)); /* by caller */
  for (uint32_t i = 0; i < policy->count; i++) {
    const char *caller = policy->rules[i].caller;
    uint32_t number =
        radius_names_add(&callers, RADIUS_NONE, caller, strlen(caller));
    index.next[i] = last[number];
    last[number] = i + 1;
  }
  uint32_t known = callers.count;
  for (uint32_t i = 0; i < fleet->names.count; i++) {
    const char *text = fleet->names.items[i].text;
    uint32_t number =
        radius_names_add(&callers, RADIUS_NONE, text, strlen(text));
    index.named[i] = number < known ? last[number] : 0;
    for (uint32_t rule = index.named[i]; rule; rule = index.next[rule - 1])
      if (policy->rules[rule - 1].kind == RADIUS_RULE_EOWN)
        eown[i] = policy->rules[rule - 1].used = true;
  }
  free(last);
  radius_names_clear(&callers);
  return index;
}

static void check_used(const radius_policy *policy) {
  for (uint32_t i = 0; i < policy->count; i++) {
    const radius_rule *rule = &policy->rules[i];
    radius_place place = {rule->origin, 0};
    if (rule->used)
      continue;
    if (rule->callee)
      radius_refuse(place,
                    "no graph has an edge from '%s' to '%s': expected "
                    "an edge of the input",
                    rule->caller, rule->callee);
    radius_refuse(place,
                  "no graph has %s '%s': expected a service of the input",
                  rule->kind == RADIUS_RULE_EOWN ? "a service" : "a caller",
                  rule->caller);
  }
}

void radius_policy_apply(radius_policy *policy, radius_fleet *fleet,
                         bool *eown) {
  if (!policy->count)
    return;
  by_caller index = index_rules(policy, fleet, eown);
  for (uint32_t i = 0; i < fleet->count; i++)
    for (uint32_t node = 0; node < fleet->graphs[i].node_count; node++)
      apply_to_node(policy, &index, fleet, &fleet->graphs[i], node);
  free(index.named);
  free(index.next);
  check_used(policy);
}

void radius_policy_clear(radius_policy *policy) {
  for (uint32_t i = 0; i < policy->count; i++) {
    free(policy->rules[i].caller);
    free(policy->rules[i].callee);
    free(policy->rules[i].origin);
  }
  free(policy->rules);
  *policy = (radius_policy){0};
}
