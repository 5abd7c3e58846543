/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What others learned, or this service earlier, on its way into the table. */
#include "memory_table.h"

#include <math.h>

/* One inbound, locked, with what is added to it. */
typedef struct merger {
  eown_memory_table *table;
  eown__stripe *stripe;
  eown__record *inbound; /* NULL: it is not known, or there is no room */
  uint64_t now_ms;
  double scale;
} merger;

static merger enter(eown_memory_table *table, const eown_edge *name,
                    bool wanted, uint64_t now_ms) {
  eown__records *records = &table->records;
  merger m = {.table = table, .now_ms = now_ms};
  m.stripe = eown__records_lock(records, name->inbound, name->inbound_length);
  m.inbound = eown__records_enter(records, m.stripe, name->inbound,
                                  name->inbound_length, wanted);
  if (m.inbound != NULL)
    eown__baseline_age(&m.inbound->baseline, now_ms, table->half_life_ms);
  return m;
}

static void leave(const merger *m) {
  if (m->inbound != NULL)
    eown__records_leave(&m->table->records, m->stripe, m->inbound);
  eown__records_unlock(m->stripe);
}

static eown__record *find_edge(const merger *m, const eown_edge *name) {
  if (m->inbound == NULL)
    return NULL;
  eown__record *edge =
      eown__records_edge(&m->table->records, m->stripe, m->inbound,
                         name->outbound, name->outbound_length, true);
  if (edge != NULL)
    eown__evidence_age(&edge->evidence, m->now_ms, m->table->half_life_ms);
  return edge;
}

/* --- restore ---------------------------------------------------------------
 */

/* The edge that comes first brings the inbound's counts with it. */
static void restore_inbounds(const merger *m, eown__record *edge,
                             const eown_memory_entry *entry) {
  eown__baseline *baseline = &m->inbound->baseline;
  if (baseline->inbounds <= 0) {
    baseline->inbounds = entry->inbounds * m->scale * baseline->weight;
    baseline->failed = entry->inbounds_failed * m->scale * baseline->weight;
  }
  eown__share_add(&edge->share, baseline, entry->shared * m->scale,
                  entry->shared_failed * m->scale);
}

static void restore_edge(const merger *m, eown__record *edge,
                         const eown_memory_entry *entry, uint64_t age_ms) {
  uint64_t then = m->now_ms > age_ms ? m->now_ms - age_ms : 0;
  eown__evidence_restore(&edge->evidence, entry->score * m->scale,
                         entry->failures * m->scale, entry->together * m->scale,
                         entry->kind);
  if (edge->last_ms < then)
    edge->last_ms = then;
  if (edge->pinned == EOWN_EDGE_UNKNOWN)
    edge->pinned = entry->pinned;
}

void eown_memory_restore(eown_memory_table *table,
                         const eown_memory_entry *entry, uint64_t ago_ms,
                         uint64_t now_ms) {
  merger m = enter(table, &entry->edge, true, now_ms);
  eown__record *edge = find_edge(&m, &entry->edge);
  m.scale = exp2(-(double)ago_ms / (double)table->half_life_ms);
  if (edge != NULL) {
    restore_edge(&m, edge, entry, entry->age_ms + ago_ms);
    restore_inbounds(&m, edge, entry);
  }
  leave(&m);
}

/* --- merge -----------------------------------------------------------------
 */

static double part_of(const eown_memory_counts *counts) {
  return fmin((double)counts->together, (double)counts->count);
}

/* All of the counts are one step of the base rate: the edges' go in at the same
 * weight. More inbounds than the window holds are scaled down to it. */
static void merge_inbound(merger *m, const eown_memory_counts *counts) {
  eown__baseline *baseline = &m->inbound->baseline;
  double inbounds = (double)counts->count;
  m->scale = fmin(1, EOWN_MEMORY_WINDOW / fmax(inbounds, 1));
  baseline->inbounds += inbounds * m->scale * baseline->weight;
  baseline->failed += part_of(counts) * m->scale * baseline->weight;
}

static void merge_edge(const merger *m, const eown_memory_counts *counts) {
  eown__baseline *baseline = &m->inbound->baseline;
  eown__record *edge = find_edge(m, &counts->edge);
  if (edge == NULL)
    return;
  double failures = (double)counts->count;
  eown__share_add(&edge->share, baseline, failures * m->scale,
                  part_of(counts) * m->scale);
  double rate = eown__baseline_rate(baseline, &edge->share);
  eown__evidence_add(&edge->evidence, failures, part_of(counts), rate);
  edge->last_ms = m->now_ms;
}

void eown_memory_merge(eown_memory_table *table,
                       const eown_memory_counts *inbound,
                       const eown_memory_counts *edges, size_t edge_count,
                       uint64_t now_ms) {
  merger m = enter(table, &inbound->edge, edge_count > 0, now_ms);
  if (m.inbound != NULL) {
    merge_inbound(&m, inbound);
    for (size_t i = 0; i < edge_count; i++)
      merge_edge(&m, &edges[i]);
    eown__baseline_grow(&m.inbound->baseline, (double)inbound->count * m.scale);
  }
  leave(&m);
}
