/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include <eown/counters.h>
#include <jansson.h>

/* Sums of eown's counters, under names of their own. */
typedef struct sum {
  const char *group;
  const char *name;
  eown_counter counters[5]; /* of gRPC's retries and of the node's own loop */
  int n;
} sum;

static const sum sums[] = {
    {"retries_stopped",
     "unclaimed",
     {EOWN_COUNTER_stopped_unclaimed, EOWN_COUNTER_loop_stopped_unclaimed},
     2},
    {"retries_stopped",
     "budget",
     {EOWN_COUNTER_stopped_budget, EOWN_COUNTER_loop_stopped_budget},
     2},
    {"retries_stopped",
     "chain",
     {EOWN_COUNTER_stopped_chain, EOWN_COUNTER_loop_stopped_chain},
     2},
    {"retries_stopped",
     "multiplied",
     {EOWN_COUNTER_loop_stopped_multiplied},
     1},
    {"claims_sent",
     "claimed",
     {EOWN_COUNTER_sent_own, EOWN_COUNTER_sent_coincidental,
      EOWN_COUNTER_sent_unreachable, EOWN_COUNTER_sent_at_least_once,
      EOWN_COUNTER_sent_application_claimed},
     5},
    {"claims_sent",
     "unclaimed",
     {EOWN_COUNTER_sent_propagated, EOWN_COUNTER_sent_application_unclaimed},
     2},
};
#define SUMS_N (sizeof sums / sizeof sums[0])

static void put(json_t *object, const char *name, uint64_t value) {
  json_object_set_new(object, name, json_integer((json_int_t)value));
}

static void put_own(json_t *object, const char *name,
                    const _Atomic uint64_t *counter) {
  put(object, name, atomic_load_explicit(counter, memory_order_relaxed));
}

static json_t *group_of(json_t *object, const char *name) {
  json_t *group = json_object_get(object, name);
  if (group == NULL) {
    group = json_object();
    json_object_set_new(object, name, group);
  }
  return group;
}

static void put_sum(json_t *object, const sum *sum) {
  uint64_t value = 0;
  for (int i = 0; i < sum->n; i++)
    value += eown_counter_read(sum->counters[i]);
  put(group_of(object, sum->group), sum->name, value);
}

static void put_counters(json_t *object) {
  json_t *group = group_of(object, "eown");
  for (int i = 0; i < EOWN_COUNTER_N; i++)
    put(group, eown_counter_name((eown_counter)i),
        eown_counter_read((eown_counter)i));
}

static json_t *callees_array(const node *node) {
  json_t *array = json_array();
  for (size_t i = 0; i < node->callees_n; i++)
    json_array_append_new(
        array, claims_json(&node->callees[i].claims, node->callees[i].name));
  return array;
}

char *counts_json(const node *node, const char *event) {
  const counts *counts = &node->counts;
  json_t *object = json_object();
  json_object_set_new(object, "event", json_string(event));
  json_object_set_new(object, "name", json_string(node->options->name));
  put_own(object, "served", &counts->served);
  put_own(object, "errors", &counts->errors);
  put_own(object, "own_failures", &counts->own_failures);
  put_own(object, "made", &counts->made);
  for (size_t i = 0; i < SUMS_N; i++)
    put_sum(object, &sums[i]);
  json_object_set_new(object, "callees", callees_array(node));
  put_counters(object);
  char *text = json_dumps(object, JSON_COMPACT);
  json_decref(object);
  return text;
}

void counts_reset(node *node) {
  counts *counts = &node->counts;
  atomic_store(&counts->served, 0);
  atomic_store(&counts->errors, 0);
  atomic_store(&counts->own_failures, 0);
  atomic_store(&counts->made, 0);
  for (size_t i = 0; i < node->callees_n; i++)
    claims_reset(&node->callees[i].claims);
  eown_counters_reset();
}
