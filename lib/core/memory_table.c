/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Learning from one finished inbound, in steps:
 *   1. Of the edges that failed, those known as fail-close are counted. Where
 *      there is one and the inbound failed, the inbound is explained.
 *   2. Each edge that failed is tested against the base rate as it was before,
 *      unless another one explains the inbound.
 *   3. An inbound that is not explained counts in the base rate, and in the
 *      share that each of its failed edges has in it.
 */
#include "memory_table.h"

#include <string.h>

#include "allocate.h"
#include "hot/hot.h"

eown_memory_table *eown_memory_table_create(uint32_t edges,
                                            uint64_t half_life_ms,
                                            const eown_allocator *allocator) {
  size_t heads = eown__records_heads(edges) * sizeof(eown__record *);
  size_t size = sizeof(eown_memory_table) + heads;
  eown_memory_table *table = eown__allocate(allocator, size);
  if (table == NULL)
    return NULL;
  memset(table, 0, size);
  table->half_life_ms = half_life_ms;
  table->allocator = allocator;
  if (eown__records_init(&table->records, edges, (eown__record **)(table + 1)))
    return table;
  eown__release(allocator, table);
  return NULL;
}

void eown_memory_table_destroy(eown_memory_table *table) {
  if (table == NULL)
    return;
  eown__records_clear(&table->records);
  eown__release(table->allocator, table);
}

/* --- what is known ---------------------------------------------------------
 */

static eown_edge_kind known(const eown_memory_table *table, eown__record *edge,
                            uint64_t now_ms) {
  if (edge == NULL)
    return EOWN_EDGE_UNKNOWN;
  eown__evidence_age(&edge->evidence, now_ms, table->half_life_ms);
  return edge->evidence.kind;
}

static eown_edge_kind kind(void *self, const eown_edge *edge, uint64_t now_ms) {
  eown_memory_table *table = self;
  eown__stripe *stripe =
      eown__records_lock(&table->records, edge->inbound, edge->inbound_length);
  eown__record *inbound = eown__records_enter(
      &table->records, stripe, edge->inbound, edge->inbound_length, false);
  eown_edge_kind found = EOWN_EDGE_UNKNOWN;
  if (inbound != NULL) {
    eown__record *record =
        eown__records_edge(&table->records, stripe, inbound, edge->outbound,
                           edge->outbound_length, false);
    found = known(table, record, now_ms);
    eown__records_leave(&table->records, stripe, inbound);
  }
  eown__records_unlock(stripe);
  return found;
}

/* --- learning --------------------------------------------------------------
 */

/* One finished inbound on its way through the table. */
typedef struct lesson {
  eown_memory_table *table;
  eown__stripe *stripe;
  eown__record *inbound;
  const eown_inbound_end *end;
  uint64_t now_ms;
  size_t closers; /* failed edges known as fail-close */
  bool explained;
} lesson;

static eown__record *record_of(const lesson *l, const eown_edge_end *end,
                               bool wanted) {
  return eown__records_edge(&l->table->records, l->stripe, l->inbound,
                            end->edge.outbound, end->edge.outbound_length,
                            wanted);
}

static bool closes(const lesson *l, const eown_edge_end *end,
                   eown__record *edge) {
  eown_edge_kind kind = end->pinned;
  if (kind == EOWN_EDGE_UNKNOWN)
    kind = known(l->table, edge, l->now_ms);
  return kind == EOWN_EDGE_FAIL_CLOSE;
}

static size_t count_closers(const lesson *l) {
  size_t closers = 0;
  for (size_t i = 0; i < l->end->edge_count; i++) {
    const eown_edge_end *end = &l->end->edges[i];
    if (end->failed && closes(l, end, record_of(l, end, false)))
      closers++;
  }
  return closers;
}

static void test(const lesson *l, eown__record *edge) {
  double together = l->end->failed ? 1 : 0;
  double rate = eown__baseline_rate(&l->inbound->baseline, &edge->share);
  eown__evidence_add(&edge->evidence, 1, together, rate);
  edge->new_count++;
  edge->new_together += l->end->failed;
}

static void learn_edge(const lesson *l, const eown_edge_end *end) {
  eown__record *edge = end->failed ? record_of(l, end, true) : NULL;
  if (edge == NULL)
    return;
  size_t others = l->closers - (closes(l, end, edge) ? 1 : 0);
  edge->pinned = end->pinned;
  edge->last_ms = l->now_ms;
  eown__evidence_age(&edge->evidence, l->now_ms, l->table->half_life_ms);
  if (!l->end->failed || (others == 0 && !l->end->more))
    test(l, edge);
  if (!l->explained)
    eown__share_add(&edge->share, &l->inbound->baseline, 1,
                    l->end->failed ? 1 : 0);
}

static void learn_inbound(lesson *l) {
  eown__baseline *baseline = &l->inbound->baseline;
  eown__baseline_age(baseline, l->now_ms, l->table->half_life_ms);
  l->closers = count_closers(l);
  l->explained = l->end->failed && (l->closers > 0 || l->end->more);
  for (size_t i = 0; i < l->end->edge_count; i++)
    learn_edge(l, &l->end->edges[i]);
  if (l->explained)
    return;
  eown__baseline_add(baseline, 1, l->end->failed ? 1 : 0);
  l->inbound->new_count++;
  l->inbound->new_together += l->end->failed;
}

static bool any_failed(const eown_inbound_end *end) {
  bool failed = false;
  for (size_t i = 0; i < end->edge_count; i++)
    failed |= end->edges[i].failed;
  return failed;
}

static void learn(void *self, const eown_inbound_end *end, uint64_t now_ms) {
  eown_memory_table *table = self;
  eown__records *records = &table->records;
  lesson l = {.table = table, .end = end, .now_ms = now_ms};
  l.stripe = eown__records_lock(records, end->inbound, end->inbound_length);
  l.inbound = eown__records_enter(records, l.stripe, end->inbound,
                                  end->inbound_length, any_failed(end));
  if (l.inbound != NULL) {
    learn_inbound(&l);
    eown__records_leave(records, l.stripe, l.inbound);
  }
  eown__records_unlock(l.stripe);
}

eown_memory eown_memory_table_view(eown_memory_table *table) {
  eown_memory view = {.kind = kind, .learn = learn, .self = table};
  return view;
}

/* --- inbounds that end well ------------------------------------------------
 */

bool eown_memory_sample(const eown_memory_table *table) {
  static EOWN__THREAD_LOCAL uint32_t state;
  if (eown__hot_table_empty(table))
    return false;
  state = state * 1664525u + 1013904223u; /* Knuth and Lewis */
  return state >> 16 < 65536u / EOWN_MEMORY_SAMPLE;
}

void eown_memory_table_served(eown_memory_table *table, const char *inbound,
                              size_t length, uint64_t now_ms) {
  eown__records *records = &table->records;
  eown__stripe *stripe = eown__records_try_lock(records, inbound, length);
  if (stripe == NULL)
    return;
  eown__record *record =
      eown__records_enter(records, stripe, inbound, length, false);
  if (record != NULL) {
    eown__baseline_age(&record->baseline, now_ms, table->half_life_ms);
    eown__baseline_add(&record->baseline, EOWN_MEMORY_SAMPLE, 0);
    record->new_count += EOWN_MEMORY_SAMPLE;
    eown__records_leave(records, stripe, record);
  }
  eown__records_unlock(stripe);
}
