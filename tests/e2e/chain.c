/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

#include "gtest_c.h"
#include "lab.h"

#include <string.h>

unsigned e2e_requests(void) { return E2E_QUICK ? 50 : 100; }

/* A run of a row and what came of it. */
typedef struct outcome {
  const e2e_row *row;
  const e2e_variant *variant;
  const json_t *json;
  int64_t requests;
} outcome;

static int64_t attempts(const outcome *self) {
  return self->variant->attempts > 0 ? self->variant->attempts : 2;
}

static const char *served_of(const outcome *self) {
  return self->variant->loops && self->row->looped != NULL ? self->row->looped
                                                           : self->row->served;
}

/* Calls that node `i` must have served, where the row says so exactly. */
static int64_t expected_served(const outcome *self, int i) {
  char digit = served_of(self)[i];
  int64_t served = digit == '-' ? 0 : self->requests;
  for (; digit > '0' && digit <= '9'; digit--)
    served *= attempts(self);
  return served;
}

static void check_served(const outcome *self, int i) {
  char name = (char)('A' + i);
  int64_t served = e2e_node_integer(self->json, name, "served");
  if (self->row->served[i] == '+')
    CHECK_NEAR(1.1, (double)served / (double)self->requests, 0.022);
  else
    CHECK_EQ(expected_served(self, i), served);
}

static void check_ratio(const outcome *self, int i) {
  char path[32] = "nodes.?.ratio";
  path[6] = (char)('0' + i);
  int64_t served = e2e_node_integer(self->json, (char)('A' + i), "served");
  CHECK_NEAR((double)served / (double)self->requests,
             e2e_json_number(self->json, path), 1e-6);
}

static void check_claims(const outcome *self, int i) {
  char name = (char)('A' + i), says = self->row->says[i];
  int64_t served = e2e_node_integer(self->json, name, "served");
  CHECK_EQ(says == 'c' ? served : 0,
           e2e_node_integer(self->json, name, "claims_sent.claimed"));
  CHECK_EQ(says == 'u' ? served : 0,
           e2e_node_integer(self->json, name, "claims_sent.unclaimed"));
}

static void check_stops(const outcome *self, int i) {
  char name = (char)('A' + i);
  int64_t served = e2e_node_integer(self->json, name, "served");
  int64_t each = self->row->observes ? attempts(self) - 1 : 1;
  CHECK_EQ(self->row->stops[i] == 's' ? served * each : 0,
           e2e_node_integer(self->json, name, "retries_stopped.unclaimed"));
  CHECK_EQ(0, e2e_node_integer(self->json, name, "retries_stopped.chain"));
  if (strchr(self->row->served, '+') == NULL || name != 'C')
    CHECK_EQ(0, e2e_node_integer(self->json, name, "retries_stopped.budget"));
}

static void check_counts(const outcome *self) {
  bool calls = self->variant->loops && self->row->counts_calls;
  for (const e2e_count *count = self->row->counts; count->path != NULL; count++)
    CHECK_EQ(e2e_node_integer(self->json, count->node, "served") *
                 (calls ? attempts(self) : 1),
             e2e_node_integer(self->json, count->node, count->path));
}

/* C's budget is the only one that runs out: what D did not get was stopped. */
static void check_budget(const outcome *self) {
  int64_t retries = e2e_node_integer(self->json, 'D', "served") -
                    e2e_node_integer(self->json, 'C', "served");
  int64_t stops = e2e_node_integer(self->json, 'C', "retries_stopped.budget");
  if (self->row->served[3] == '+' && attempts(self) == 2)
    CHECK_EQ(self->requests, retries + stops);
}

static void check_root(const outcome *self) {
  const e2e_row *row = self->row;
  const char *status = row->status             ? row->status
                       : self->variant->status ? self->variant->status
                                               : "UNAVAILABLE";
  CHECK_EQ(0, e2e_json_integer(self->json, "root.ok"));
  CHECK_EQ(self->requests, e2e_json_integer(self->json, "root.errors"));
  const json_t *statuses = e2e_json_find(self->json, "root.status");
  CHECK_EQ(self->requests, e2e_json_integer(statuses, status));
  CHECK_STREQ(row->claim, e2e_json_text(self->json, "root.claim"));
  CHECK_STREQ(row->owner, e2e_json_text(self->json, "root.owner"));
  if (row->owner != NULL)
    CHECK_EQ(row->hops, e2e_json_integer(self->json, "root.hops"));
}

static void check_all(const outcome *self) {
  CHECK_EQ(self->requests, e2e_json_integer(self->json, "requests"));
  for (int i = 0; i < 4; i++) {
    TEST_TRACE("node %c", 'A' + i);
    check_served(self, i);
    check_ratio(self, i);
    check_claims(self, i);
    check_stops(self, i);
  }
  check_counts(self);
  check_budget(self);
  check_root(self);
}

void e2e_row_check(const e2e_row *row, const e2e_variant *variant) {
  TEST_TRACE("row \"%s\", variant \"%s\"", row->name, variant->name);
  unsigned requests = e2e_requests();
  json_t *json = e2e_lab_chain(requests, row->options, variant->options);
  if (json == NULL)
    return;
  outcome outcome = {row, variant, json, requests};
  check_all(&outcome);
  json_decref(json);
}
