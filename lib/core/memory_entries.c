/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The table seen from outside. Records are copied chain by chain of the index,
 * with one lock held for a few records, and handed out when it is free again:
 * a visitor may take its time. */
#include "memory_table.h"

#include <math.h>
#include <string.h>

/* Chains are one record long on average; one that is longer than this is cut
 * short, for this once. */
#define CHAIN_MAX 32

/* --- each ------------------------------------------------------------------
 */

typedef struct copied {
  eown_memory_entry entry;
  char inbound[EOWN_METHOD_MAX];
  char outbound[EOWN_METHOD_MAX];
} copied;

typedef struct reader {
  const eown_memory_table *table;
  uint64_t now_ms;
  eown_memory_visit *visit;
  void *user;
  size_t count;
  copied copies[CHAIN_MAX];
} reader;

static eown_edge name_copy(char *inbound, char *outbound,
                           const eown__record *edge) {
  memcpy(inbound, edge->inbound->name, edge->inbound->name_length);
  memcpy(outbound, edge->name, edge->name_length);
  eown_edge name = {inbound, edge->inbound->name_length, outbound,
                    edge->name_length};
  return name;
}

static void read_inbounds(eown_memory_entry *entry, eown__record *edge) {
  const eown__baseline *baseline = &edge->inbound->baseline;
  entry->base_rate = eown__baseline_rate(baseline, &edge->share);
  entry->inbounds = baseline->inbounds / baseline->weight;
  entry->inbounds_failed = baseline->failed / baseline->weight;
  entry->shared = edge->share.inbounds / baseline->weight;
  entry->shared_failed = edge->share.failed / baseline->weight;
}

static void copy_entry(void *user, eown__record *record) {
  reader *self = user;
  if (record->inbound == NULL || self->count == CHAIN_MAX)
    return;
  copied *copy = &self->copies[self->count++];
  eown__evidence *evidence = &record->evidence;
  uint64_t half_life = self->table->half_life_ms;
  eown__evidence_age(evidence, self->now_ms, half_life);
  eown__baseline_age(&record->inbound->baseline, self->now_ms, half_life);
  copy->entry = (eown_memory_entry){
      .edge = name_copy(copy->inbound, copy->outbound, record),
      .kind = evidence->kind,
      .pinned = record->pinned,
      .failures = evidence->failures,
      .together = evidence->together,
      .score = evidence->score,
      .confidence = eown__evidence_confidence(evidence),
      .age_ms =
          self->now_ms > record->last_ms ? self->now_ms - record->last_ms : 0,
  };
  read_inbounds(&copy->entry, record);
}

static void hand_out(void *user) {
  reader *self = user;
  for (size_t i = 0; i < self->count; i++)
    self->visit(self->user, &self->copies[i].entry);
  self->count = 0;
}

void eown_memory_each(eown_memory_table *table, uint64_t now_ms,
                      eown_memory_visit *visit, void *user) {
  reader self = {.table = table, .now_ms = now_ms};
  self.visit = visit;
  self.user = user;
  eown__records_each(&table->records, copy_entry, hand_out, &self);
}

/* --- drain -----------------------------------------------------------------
 */

typedef struct drained {
  eown_memory_counts counts;
  char inbound[EOWN_METHOD_MAX];
  char outbound[EOWN_METHOD_MAX];
} drained;

typedef struct drain {
  void (*visit)(void *user, const eown_memory_counts *counts);
  void *user;
  size_t count;
  drained copies[CHAIN_MAX];
} drain;

static void drain_inbound(drained *copy, const eown__record *inbound) {
  memcpy(copy->inbound, inbound->name, inbound->name_length);
  copy->counts = (eown_memory_counts){
      .edge = {copy->inbound, inbound->name_length, "", 0},
      .count = inbound->new_count,
      .together = inbound->new_together,
  };
}

static void drain_edge(drained *copy, const eown__record *edge) {
  copy->counts = (eown_memory_counts){
      .edge = name_copy(copy->inbound, copy->outbound, edge),
      .count = edge->new_count,
      .together = edge->new_together,
  };
}

static void drain_record(void *user, eown__record *record) {
  drain *self = user;
  if (record->new_count == 0 || self->count == CHAIN_MAX)
    return;
  drained *copy = &self->copies[self->count++];
  if (record->inbound == NULL)
    drain_inbound(copy, record);
  else
    drain_edge(copy, record);
  record->new_count = 0;
  record->new_together = 0;
}

static void hand_counts(void *user) {
  drain *self = user;
  for (size_t i = 0; i < self->count; i++)
    self->visit(self->user, &self->copies[i].counts);
  self->count = 0;
}

void eown_memory_drain(eown_memory_table *table,
                       void (*visit)(void *user,
                                     const eown_memory_counts *counts),
                       void *user) {
  drain self = {.visit = visit, .user = user};
  eown__records_each(&table->records, drain_record, hand_counts, &self);
}
