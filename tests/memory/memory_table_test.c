/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The table: verdicts, order of events, decay, explaining away, room. */
#include "counted.h"
#include "support.h"

#include "gtest_c.h"

#include <string.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS

static eown_memory_table *make(uint32_t edges) {
  return eown_memory_table_create(edges, DAY, NULL);
}

EOWN_TEST(MemoryTable, NothingIsKnownAtFirst) {
  eown_memory_table *table = make(16);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &edge, 1));
  CHECK_EQ(0, counted_edges(table));
  eown_memory_table_destroy(table);
  eown_memory_table_destroy(NULL);
}

EOWN_TEST(MemoryTable, VerdictsTakeEvidence) {
  eown_memory_table *table = make(16);
  counted_name names[2];
  eown_edge open = counted_edge(&names[0], 1, 1);
  eown_edge close = counted_edge(&names[1], 2, 2);
  counted_fails(table, &open, false, 39, 1);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &open, 1));
  counted_fail(table, &open, false, 1); /* 40 * 0.2877 > 11.5 */
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &open, 1));
  counted_fail(table, &close, true, 1);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &close, 1));
  counted_fails(table, &close, true, 5, 1); /* 6 * 1.18 > 6.9 */
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &close, 1));
  eown_memory_table_destroy(table);
}

/* Evidence before the score's threshold does not pile up. */
EOWN_TEST(MemoryTable, OldEvidenceDoesNotOutweighNew) {
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  for (unsigned before = 100; before <= 100000; before *= 10) {
    eown_memory_table *table = make(16);
    counted_fails(table, &edge, false, before, 1);
    counted_fails(table, &edge, true, 8, 1); /* 8 * 1.18 > 3/4 of 11.5 */
    CHECK_NE(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 1));
    eown_memory_table_destroy(table);
  }
}

/* One failure at the border does not take a verdict back. */
EOWN_TEST(MemoryTable, VerdictsDoNotFlap) {
  eown_memory_table *table = make(16);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, false, 40, 1);
  for (int i = 0; i < 20; i++) {
    counted_fail(table, &edge, true, 1);
    CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 1));
    counted_fails(table, &edge, false, 20, 1);
    CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 1));
  }
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryTable, VerdictsAreForgottenInTwoHalfLives) {
  eown_memory_table *table = make(16);
  counted_name names[2];
  eown_edge open = counted_edge(&names[0], 1, 1);
  eown_edge close = counted_edge(&names[1], 2, 2);
  counted_fails(table, &open, false, 50, 1);
  counted_fails(table, &close, true, 50, 1);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &open, DAY));
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &close, DAY));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &open, 2 * DAY - 10));
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &open, 2 * DAY + 10));
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &close, 2 * DAY + 10));
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryTable, CountsHalveAndTimeMayStandStillOrGoBack) {
  eown_memory_table *table = make(16);
  counted_name name;
  eown_memory_entry entry = {0};
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, true, 8, 1000);
  counted_fails(table, &edge, true, 8, 500);
  CHECK_TRUE(counted_find(table, &edge, 1000, &entry));
  CHECK_NEAR(16, entry.failures, 1e-9);
  CHECK_TRUE(counted_find(table, &edge, 1000 + DAY, &entry));
  CHECK_NEAR(8, entry.failures, 1e-9);
  CHECK_NEAR(8, entry.together, 1e-9);
  CHECK_EQ(DAY + 500, entry.age_ms);
  eown_memory_table_destroy(table);
}

/* The verdict is the same whatever comes first, where neither threshold is
 * touched: sums have no order. */
EOWN_TEST(MemoryTable, OrderOfEventsDoesNotMatterBetweenTheThresholds) {
  test_random random = {7};
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  double score = 0;
  for (int round = 0; round < 50; round++) {
    eown_memory_table *table = make(16);
    unsigned left[2] = {2, 20}; /* with the inbound, without */
    while (left[0] + left[1] > 0) {
      unsigned pick = test_random_below(&random, left[0] + left[1]) >= left[0];
      left[pick]--;
      counted_fail(table, &edge, pick == 0, 1);
    }
    eown_memory_entry entry = {0};
    CHECK_TRUE(counted_find(table, &edge, 1, &entry));
    if (round > 0) /* the base rate is that of the moment */
      CHECK_NEAR(score, entry.score, 0.5);
    score = entry.score;
    CHECK_NEAR(22, entry.failures, 1e-9);
    eown_memory_table_destroy(table);
  }
}

/* --- explaining away ------------------------------------------------------ */

static void fail_both(eown_memory_table *table, const eown_edge *a,
                      const eown_edge *b, eown_edge_kind pinned_b,
                      bool inbound_failed) {
  eown_edge_end ends[] = {{.edge = *a, .failed = true},
                          {.edge = *b, .failed = true, .pinned = pinned_b}};
  eown_inbound_end end = {.inbound = a->inbound,
                          .inbound_length = a->inbound_length,
                          .failed = inbound_failed,
                          .edge_count = 2,
                          .edges = ends};
  eown_memory memory = eown_memory_table_view(table);
  memory.learn(memory.self, &end, 1);
}

EOWN_TEST(MemoryTable, APinnedFailCloseEdgeExplainsTheInbound) {
  eown_memory_table *table = make(16);
  counted_name names[2];
  eown_edge a = counted_edge(&names[0], 1, 1);
  eown_edge b = counted_edge(&names[1], 1, 2);
  for (int i = 0; i < 100; i++)
    fail_both(table, &a, &b, EOWN_EDGE_FAIL_CLOSE, true);
  eown_memory_entry entry = {0};
  CHECK_TRUE(counted_find(table, &a, 1, &entry));
  CHECK_NEAR(0, entry.score, 0);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &a, 1));
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &b, 1));
  CHECK_TRUE(counted_find(table, &b, 1, &entry));
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, entry.pinned);
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryTable, ALearnedFailCloseEdgeExplainsTheInbound) {
  eown_memory_table *table = make(16);
  counted_name names[2];
  eown_edge a = counted_edge(&names[0], 1, 1);
  eown_edge b = counted_edge(&names[1], 1, 2);
  counted_fails(table, &b, true, 50, 1);
  counted_fails(table, &a, false, 50, 1);
  for (int i = 0; i < 100; i++)
    fail_both(table, &a, &b, EOWN_EDGE_UNKNOWN, true);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &a, 1));
  eown_memory_table_destroy(table);
}

/* Two that were taken for fail-close, and always fail together, are found out
 * when the inbound carries on. */
EOWN_TEST(MemoryTable, CarryingOnClearsAllThatFailed) {
  eown_memory_table *table = make(16);
  counted_name names[2];
  eown_edge a = counted_edge(&names[0], 1, 1);
  eown_edge b = counted_edge(&names[1], 1, 2);
  for (int i = 0; i < 50; i++)
    fail_both(table, &a, &b, EOWN_EDGE_UNKNOWN, true);
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &a, 1));
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &b, 1));
  for (int i = 0; i < 100; i++)
    fail_both(table, &a, &b, EOWN_EDGE_UNKNOWN, false);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &a, 1));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &b, 1));
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryTable, FailuresBeyondThoseListedExplainTheInbound) {
  eown_memory_table *table = make(16);
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  eown_edge_end one = {.edge = edge, .failed = true};
  eown_inbound_end end = {edge.inbound, edge.inbound_length, true, true, 1,
                          &one};
  eown_memory memory = eown_memory_table_view(table);
  for (int i = 0; i < 100; i++)
    memory.learn(memory.self, &end, 1);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &edge, 1));
  eown_memory_table_destroy(table);
}

/* --- room ------------------------------------------------------------------
 */

EOWN_TEST(MemoryTable, TheLeastRecentlyFailedEdgeGoes) {
  enum { ROOM = 64 };
  eown_memory_table *table = make(ROOM);
  counted_name name;
  for (unsigned i = 0; i < ROOM; i++) {
    eown_edge edge = counted_edge(&name, 1, i);
    counted_fail(table, &edge, false, 1);
  }
  eown_edge first = counted_edge(&name, 1, 0);
  counted_fail(table, &first, false, 1); /* now edge 1 is the oldest */
  for (unsigned i = ROOM; i < ROOM + 10; i++) {
    eown_edge edge = counted_edge(&name, 1, i);
    counted_fail(table, &edge, false, 1);
    CHECK_EQ(ROOM, counted_edges(table));
  }
  eown_memory_entry entry;
  for (unsigned i = 0; i < ROOM + 10; i++) {
    TEST_TRACE("edge %u", i);
    eown_edge edge = counted_edge(&name, 1, i);
    CHECK_EQ(i == 0 || i > 10, counted_find(table, &edge, 1, &entry));
  }
  eown_memory_table_destroy(table);
}

/* Any number of inbounds and edges, and tables of every small size. */
EOWN_TEST(MemoryTable, NeverHoldsMoreThanItMay) {
  for (uint32_t room = 1; room <= 40; room += 3) {
    eown_memory_table *table = make(room);
    test_random random = {room};
    for (int i = 0; i < 3000; i++) {
      counted_name name;
      eown_edge edge = counted_edge(&name, test_random_below(&random, 60),
                                    test_random_below(&random, 4));
      counted_fail(table, &edge, i % 3 == 0, (uint64_t)i);
      eown_memory_entry entry;
      CHECK_TRUE(counted_find(table, &edge, (uint64_t)i, &entry));
    }
    CHECK_LE(counted_edges(table), room);
    CHECK_LE(1, counted_edges(table));
    eown_memory_table_destroy(table);
  }
}

/* Errors of invented methods that call nothing take no room. */
EOWN_TEST(MemoryTable, InboundsWithoutEdgesTakeNoRoom) {
  eown_memory_table *table = make(4);
  eown_memory memory = eown_memory_table_view(table);
  counted_name name;
  eown_edge kept = counted_edge(&name, 0, 0);
  counted_fails(table, &kept, false, 50, 1);
  for (unsigned i = 1; i < 1000; i++) {
    counted_name other;
    eown_edge edge = counted_edge(&other, i, 0);
    eown_inbound_end end = {.inbound = edge.inbound,
                            .inbound_length = edge.inbound_length,
                            .failed = true};
    memory.learn(memory.self, &end, 1);
    eown_memory_table_served(table, edge.inbound, edge.inbound_length, 1);
  }
  CHECK_EQ(1, counted_edges(table));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &kept, 1));
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryTable, OutOfMemoryMakesNoTable) {
  for (unsigned long i = 1; i <= 1; i++) {
    test_allocator allocator;
    test_allocator_init(&allocator, i);
    CHECK_NULL(eown_memory_table_create(16, DAY, &allocator.base));
    CHECK_EQ(0, allocator.live);
  }
  test_allocator allocator;
  test_allocator_init(&allocator, 0);
  eown_memory_table *table = eown_memory_table_create(16, DAY, &allocator.base);
  REQUIRE_NOT_NULL(table);
  unsigned long before = allocator.allocations;
  counted_name name;
  for (unsigned i = 0; i < 100; i++) {
    eown_edge edge = counted_edge(&name, i, i);
    counted_fail(table, &edge, true, 1);
  }
  CHECK_EQ(before, allocator.allocations); /* learning allocates nothing */
  eown_memory_table_destroy(table);
  CHECK_EQ(0, allocator.live);
}

static unsigned sampled(const eown_memory_table *table) {
  unsigned taken = 0;
  for (int i = 0; i < 80000; i++)
    taken += eown_memory_sample(table);
  return taken;
}

EOWN_TEST(MemoryTable, TheSampleIsOneInSo) {
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  REQUIRE_NOT_NULL(table);
  CHECK_EQ(0, sampled(NULL));
  CHECK_EQ(0, sampled(table)); /* there is no edge to learn of */
  counted_name name;
  eown_edge edge = counted_edge(&name, 0, 0);
  counted_fail(table, &edge, true, 1);
  CHECK_NEAR(80000.0 / EOWN_MEMORY_SAMPLE, sampled(table), 400);
  eown_memory_table_destroy(table);
}
