/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The table under eight threads; ThreadSanitizer looks on. */
#include "counted.h"
#include "support.h"

#include "gtest_c.h"

#include <stdatomic.h>

#define ROUNDS 3000

typedef struct scene {
  eown_memory_table *table;
  unsigned inbounds;
  _Atomic uint64_t drained;
} scene;

static void learn(unsigned index, void *user) {
  scene *self = user;
  test_random random = {index + 1};
  for (unsigned i = 0; i < ROUNDS; i++) {
    counted_name name;
    unsigned inbound = test_random_below(&random, self->inbounds);
    eown_edge edge = counted_edge(&name, inbound, 1);
    counted_fail(self->table, &edge, false, i);
    counted_kind(self->table, &edge, i);
    eown_memory_table_served(self->table, edge.inbound, edge.inbound_length, i);
  }
}

static void add(void *user, const eown_memory_counts *counts) {
  if (counts->edge.outbound_length > 0)
    atomic_fetch_add((_Atomic uint64_t *)user, counts->count);
}

/* The last thread looks at the table and drains it while the others learn. */
static void learn_or_drain(unsigned index, void *user) {
  scene *self = user;
  if (index < TEST_THREADS - 1) {
    learn(index, user);
    return;
  }
  for (int i = 0; i < 50; i++) {
    eown_memory_drain(self->table, add, &self->drained);
    CHECK_LE(counted_edges(self->table), 64);
  }
}

EOWN_TEST(MemoryThreads, NothingIsCountedTwiceOrLost) {
  scene self = {.table = eown_memory_table_create(
                    64, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL),
                .inbounds = 10};
  test_on_threads(learn_or_drain, &self);
  eown_memory_drain(self.table, add, &self.drained);
  CHECK_EQ((TEST_THREADS - 1) * ROUNDS, atomic_load(&self.drained));
  for (unsigned i = 0; i < 10; i++) {
    counted_name name;
    eown_edge edge = counted_edge(&name, i, 1);
    CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(self.table, &edge, ROUNDS));
  }
  eown_memory_table_destroy(self.table);
}

/* More edges than there is room for, on all stripes at once. */
EOWN_TEST(MemoryThreads, EvictionOnAllStripes) {
  scene self = {.table = eown_memory_table_create(
                    64, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL),
                .inbounds = 1000};
  test_on_threads(learn, &self);
  CHECK_LE(counted_edges(self.table), 64);
  eown_memory_table_destroy(self.table);
}
