/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Evidence that goes from one table to another. */
#include "counted.h"

#include "gtest_c.h"

#include <string.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS

typedef struct sums {
  uint64_t count, together, inbounds, inbounds_failed;
  int visits;
} sums;

static void add_up(void *user, const eown_memory_counts *counts) {
  sums *self = user;
  self->visits++;
  if (counts->edge.outbound_length == 0) {
    self->inbounds += counts->count;
    self->inbounds_failed += counts->together;
  } else {
    self->count += counts->count;
    self->together += counts->together;
  }
}

EOWN_TEST(MemoryExchange, DrainGivesEachObservationOnce) {
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, false, 7, 1);
  counted_fails(table, &edge, true, 3, 1);
  sums first = {0}, second = {0};
  eown_memory_drain(table, add_up, &first);
  eown_memory_drain(table, add_up, &second);
  CHECK_EQ(10, first.count);
  CHECK_EQ(3, first.together);
  CHECK_EQ(10, first.inbounds);
  CHECK_EQ(3, first.inbounds_failed);
  CHECK_EQ(0, second.visits);
  eown_memory_table_destroy(table);
}

static void merge_one(eown_memory_table *table, const eown_edge *edge,
                      uint64_t failures, uint64_t together, uint64_t inbounds) {
  eown_memory_counts inbound = {.edge = *edge, .count = inbounds};
  inbound.edge.outbound_length = 0;
  inbound.together = together;
  eown_memory_counts counts = {*edge, failures, together};
  eown_memory_merge(table, &inbound, &counts, 1, 1);
}

EOWN_TEST(MemoryExchange, MergedEvidenceMakesVerdicts) {
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  counted_name names[3];
  eown_edge open = counted_edge(&names[0], 1, 1);
  eown_edge close = counted_edge(&names[1], 2, 2);
  eown_edge few = counted_edge(&names[2], 3, 3);
  merge_one(table, &open, 100, 0, 1000);
  merge_one(table, &close, 100, 100, 1000);
  merge_one(table, &few, 3, 0, 1000);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &open, 1));
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &close, 1));
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &few, 1));
  sums none = {0};
  eown_memory_drain(table, add_up, &none);
  CHECK_EQ(0, none.visits); /* what others told is not told again */
  eown_memory_table_destroy(table);
}

/* Counts that make no sense, or are too large, do no harm. */
EOWN_TEST(MemoryExchange, AbsurdCountsAreSurvived) {
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  merge_one(table, &edge, 0, 5, 0);
  merge_one(table, &edge, UINT64_MAX, UINT64_MAX, UINT64_MAX);
  merge_one(table, &edge, 10, UINT64_MAX, 1);
  eown_memory_entry entry = {0};
  CHECK_TRUE(counted_find(table, &edge, 1, &entry));
  CHECK_TRUE(entry.score <= EOWN_MEMORY_CLOSE_SCORE);
  CHECK_TRUE(entry.base_rate >= EOWN_MEMORY_FLOOR_RATE && entry.base_rate <= 1);
  CHECK_TRUE(entry.together <= entry.failures);
  counted_fails(table, &edge, false, 200, 1);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 1));
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryExchange, AnInboundWithoutEdgesIsLeftOut) {
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  eown_memory_counts inbound = {.edge = edge, .count = 100};
  eown_memory_merge(table, &inbound, NULL, 0, 1);
  CHECK_EQ(0, counted_edges(table));
  eown_memory_table_destroy(table);
}

typedef struct copy {
  eown_memory_table *to;
  uint64_t ago_ms;
} copy;

static void restore(void *user, const eown_memory_entry *entry) {
  copy *self = user;
  eown_memory_restore(self->to, entry, self->ago_ms, 5000);
}

EOWN_TEST(MemoryExchange, RestoredIsAsItWas) {
  eown_memory_table *from = eown_memory_table_create(16, DAY, NULL);
  eown_memory_table *to = eown_memory_table_create(16, DAY, NULL);
  counted_name names[2];
  eown_edge open = counted_edge(&names[0], 1, 1);
  eown_edge close = counted_edge(&names[1], 1, 2);
  counted_fails(from, &open, false, 60, 1);
  counted_fails(from, &close, true, 60, 1);
  copy same = {to, 0};
  eown_memory_each(from, 1, restore, &same);
  const eown_edge *edges[] = {&open, &close};
  for (int i = 0; i < 2; i++) {
    eown_memory_entry a = {0}, b = {0};
    CHECK_TRUE(counted_find(from, edges[i], 1, &a));
    CHECK_TRUE(counted_find(to, edges[i], 5000, &b));
    CHECK_EQ(a.kind, b.kind);
    CHECK_NEAR(a.score, b.score, 1e-9);
    CHECK_NEAR(a.failures, b.failures, 1e-9);
    CHECK_NEAR(a.base_rate, b.base_rate, 1e-9);
    CHECK_NEAR(a.inbounds, b.inbounds, 1e-6);
  }
  eown_memory_table_destroy(from);
  eown_memory_table_destroy(to);
}

EOWN_TEST(MemoryExchange, RestoredLaterHasFaded) {
  eown_memory_table *from = eown_memory_table_create(16, DAY, NULL);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(from, &edge, false, 60, 1);
  static const struct {
    uint64_t ago_ms;
    eown_edge_kind kind;
  } rows[] = {{DAY, EOWN_EDGE_FAIL_OPEN}, {3 * DAY, EOWN_EDGE_UNKNOWN}};
  for (int i = 0; i < 2; i++) {
    eown_memory_table *to = eown_memory_table_create(16, DAY, NULL);
    copy later = {to, rows[i].ago_ms};
    eown_memory_each(from, 1, restore, &later);
    CHECK_EQ(rows[i].kind, counted_kind(to, &edge, 5000));
    eown_memory_table_destroy(to);
  }
  eown_memory_table_destroy(from);
}
