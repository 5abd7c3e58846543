/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "news.h"

#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is new of one edge. */
typedef struct news {
  eown_memory_counts counts;
  eown__field_names names;
} news;

typedef struct newspaper {
  news *items;
  size_t count;
} newspaper;

/* Old buckets get no accounts: most are read but once, by a replica that
 * starts. Where there is one from the time when the bucket was new it counts.
 */
static eown__account *account_of(eown__exchange *exchange,
                                 const redisReply *field, bool recent) {
  return recent ? eown__ledger_find(&exchange->ledger, field->str, field->len)
                : eown__ledger_look(&exchange->ledger, field->str, field->len);
}

/* Returns what is new in the field's sum, and accounts for it. A sum that is
 * smaller than before is that of a Redis that lost what it had: all is new. */
static int64_t take_new(eown__exchange *exchange, const redisReply *field,
                        int64_t sum, uint64_t bucket) {
  bool recent = bucket + 1 >= exchange->bucket;
  eown__account *account = account_of(exchange, field, recent);
  if (account == NULL)
    return recent ? 0 : sum;
  int64_t *seen = eown__account_seen(account, bucket);
  int64_t old = *seen;
  *seen = sum;
  return eown__counts_grew(old, sum) ? sum - old : sum;
}

static uint64_t fade(uint64_t count, double kept) {
  return (uint64_t)llround((double)count * kept);
}

static double kept_of(const eown__exchange *exchange, uint64_t bucket) {
  return exp2(-(double)(exchange->bucket - bucket) /
              EOWN__BUCKETS_IN_HALF_LIFE);
}

static void add_news(eown__exchange *exchange, newspaper *paper,
                     const redisReply *field, const redisReply *value,
                     uint64_t bucket) {
  news *item = &paper->items[paper->count];
  int64_t sum;
  if (field->type != REDIS_REPLY_STRING || value->type != REDIS_REPLY_STRING ||
      field->len > EOWN__FIELD_MAX ||
      !eown__field_read(field->str, field->len, &item->names,
                        &item->counts.edge) ||
      !eown__counts_read(value->str, value->len, &sum))
    return;
  int64_t fresh = take_new(exchange, field, sum, bucket);
  double kept = kept_of(exchange, bucket);
  item->counts.count = fade(eown__counts_of(fresh), kept);
  item->counts.together = fade(eown__together_of(fresh), kept);
  if (item->counts.count > 0)
    paper->count++;
}

static int order_names(const char *a, size_t a_length, const char *b,
                       size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* By inbound; the inbound itself comes before its edges. */
static int by_edge(const void *a, const void *b) {
  const eown_edge *left = &((const news *)a)->counts.edge;
  const eown_edge *right = &((const news *)b)->counts.edge;
  int order =
      order_names(((const news *)a)->names.inbound, left->inbound_length,
                  ((const news *)b)->names.inbound, right->inbound_length);
  return order != 0 ? order
                    : order_names(((const news *)a)->names.outbound,
                                  left->outbound_length,
                                  ((const news *)b)->names.outbound,
                                  right->outbound_length);
}

static bool same_inbound(const news *a, const news *b) {
  return order_names(a->names.inbound, a->counts.edge.inbound_length,
                     b->names.inbound, b->counts.edge.inbound_length) == 0;
}

/* Learns from `count` items of one inbound. The edges of an item that was moved
 * by the sort point to where it was. */
static void learn_inbound(const eown__exchange *exchange, news *items,
                          size_t count, eown_memory_counts *counts) {
  for (size_t i = 0; i < count; i++) {
    counts[i] = items[i].counts;
    counts[i].edge.inbound = items[i].names.inbound;
    counts[i].edge.outbound = items[i].names.outbound;
  }
  eown_memory_counts none = {.edge = counts[0].edge};
  bool has_own = counts[0].edge.outbound_length == 0;
  size_t own = has_own ? 1 : 0;
  eown_memory_merge(exchange->table, has_own ? counts : &none, counts + own,
                    count - own, exchange->now_ms);
}

static void learn(const eown__exchange *exchange, newspaper *paper) {
  eown_memory_counts *counts =
      paper->count == 0 ? NULL : calloc(paper->count, sizeof(*counts));
  if (counts == NULL)
    return;
  qsort(paper->items, paper->count, sizeof(*paper->items), by_edge);
  for (size_t i = 0, end; i < paper->count; i = end) {
    for (end = i + 1; end < paper->count &&
                      same_inbound(&paper->items[i], &paper->items[end]);)
      end++;
    learn_inbound(exchange, &paper->items[i], end - i, counts);
  }
  free(counts);
}

void eown__news_learn(eown__exchange *exchange, const redisReply *hash,
                      uint64_t bucket) {
  newspaper paper = {.items = calloc(hash->elements / 2 + 1, sizeof(news))};
  if (paper.items == NULL)
    return;
  for (size_t i = 0; i + 1 < hash->elements; i += 2)
    add_news(exchange, &paper, hash->element[i], hash->element[i + 1], bucket);
  learn(exchange, &paper);
  free(paper.items);
}
