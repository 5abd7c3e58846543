/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* An exchange in steps:
 *   1. What was observed here goes from the table into the ledger, and from
 *      there to Redis, in one pipeline.
 *   2. The sums of this bucket and of the one before are read (the first time,
 *      of all that have not expired).
 *   3. What is new in a sum, by the ledger, and not ours, is learned: inbound
 * by inbound, old buckets at the weight they have left.
 */
#include "exchange.h"

#include "field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_MAX (3 * EOWN_OWNER_MAX + 64)
#define BUCKETS_IN_HALF_LIFE 24u
#define BUCKETS_KEPT 48u

static uint64_t bucket_ms(const eown__exchange *exchange) {
  uint64_t ms = exchange->half_life_ms / BUCKETS_IN_HALF_LIFE;
  return ms > 0 ? ms : 1;
}

static uint64_t current_bucket(const eown__exchange *exchange) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  return ms / bucket_ms(exchange);
}

/* Takes a reply that must be of `type`; NULL, and counted, where it is another
 * or none. */
static redisReply *take_reply(eown__exchange *exchange, int type) {
  eown__connection *connection = &exchange->connection;
  redisReply *reply = eown__connection_reply(connection);
  if (reply == NULL || reply->type == type)
    return reply;
  exchange->some_failed = true;
  if (reply->type != REDIS_REPLY_ERROR)
    eown__connection_fail(connection, "an answer of another kind");
  else if (connection->error[0] == '\0')
    snprintf(connection->error, sizeof(connection->error), "%.200s",
             reply->str);
  freeReplyObject(reply);
  return NULL;
}

/* --- sending ---------------------------------------------------------------
 */

static void note(void *user, const eown_memory_counts *counts) {
  eown__exchange *exchange = user;
  char field[EOWN__FIELD_MAX];
  size_t length = eown__field_write(&counts->edge, field);
  eown__account *account = eown__ledger_find(&exchange->ledger, field, length);
  if (account != NULL)
    account->pending += eown__counts_pack(counts->count, counts->together);
}

static bool add_increment(eown__exchange *exchange, const char *key,
                          const eown__account *account) {
  char value[24];
  snprintf(value, sizeof(value), "%lld", (long long)account->pending);
  const char *argv[] = {"HINCRBY", key, account->field, value};
  size_t lengths[] = {7, strlen(key), account->length, strlen(value)};
  return eown__connection_command(&exchange->connection, 4, argv, lengths);
}

static bool add_expiry(eown__exchange *exchange, const char *key) {
  char ttl[24];
  snprintf(ttl, sizeof(ttl), "%llu",
           (unsigned long long)((BUCKETS_KEPT + 1) * bucket_ms(exchange)));
  const char *argv[] = {"PEXPIRE", key, ttl};
  size_t lengths[] = {7, strlen(key), strlen(ttl)};
  return eown__connection_command(&exchange->connection, 3, argv, lengths);
}

/* What Redis refused is kept; what it did not answer to counts as sent. */
static void settle(eown__exchange *exchange, eown__account *account) {
  redisReply *reply = take_reply(exchange, REDIS_REPLY_INTEGER);
  if (reply == NULL && exchange->connection.redis != NULL)
    return;
  if (reply != NULL)
    *eown__account_seen(account, exchange->bucket) += account->pending;
  account->pending = 0;
  freeReplyObject(reply);
}

typedef void account_fn(eown__exchange *exchange, eown__account *account);

static void each_pending(eown__exchange *exchange, account_fn *visit) {
  for (size_t i = 0; i < exchange->ledger.capacity; i++) {
    eown__account *account = &exchange->ledger.accounts[i];
    if (account->field != NULL && account->pending != 0)
      visit(exchange, account);
  }
}

static void send_one(eown__exchange *exchange, eown__account *account) {
  char key[KEY_MAX];
  eown__key_write(exchange->service, exchange->bucket, key, sizeof(key));
  add_increment(exchange, key, account);
}

static bool send_pending(eown__exchange *exchange) {
  char key[KEY_MAX];
  eown__key_write(exchange->service, exchange->bucket, key, sizeof(key));
  each_pending(exchange, send_one);
  add_expiry(exchange, key);
  if (exchange->connection.redis == NULL)
    return false;
  each_pending(exchange, settle);
  freeReplyObject(take_reply(exchange, REDIS_REPLY_INTEGER));
  return exchange->connection.redis != NULL;
}

/* --- learning --------------------------------------------------------------
 */

/* What is new of one edge. */
typedef struct news {
  eown_memory_counts counts;
  eown__field_names names;
} news;

typedef struct newspaper {
  news *items;
  size_t count;
} newspaper;

/* Returns what is new in the field's sum, and accounts for it. A sum that is
 * smaller than before is that of a Redis that lost what it had. */
static int64_t take_new(eown__exchange *exchange, const redisReply *field,
                        int64_t sum, uint64_t bucket) {
  bool current = bucket + 1 >= exchange->bucket;
  eown__account *account =
      current ? eown__ledger_find(&exchange->ledger, field->str, field->len)
              : NULL;
  if (account == NULL)
    return current ? 0 : sum;
  int64_t *seen = eown__account_seen(account, bucket);
  int64_t old = *seen;
  *seen = sum;
  bool grew = eown__counts_of(sum) >= eown__counts_of(old) &&
              eown__together_of(sum) >= eown__together_of(old);
  return grew ? sum - old : 0;
}

static uint64_t fade(uint64_t count, double kept) {
  return (uint64_t)llround((double)count * kept);
}

static double kept_of(const eown__exchange *exchange, uint64_t bucket) {
  return exp2(-(double)(exchange->bucket - bucket) / BUCKETS_IN_HALF_LIFE);
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

static void learn_bucket(eown__exchange *exchange, const redisReply *hash,
                         uint64_t bucket) {
  newspaper paper = {.items = calloc(hash->elements / 2 + 1, sizeof(news))};
  if (paper.items == NULL)
    return;
  for (size_t i = 0; i + 1 < hash->elements; i += 2)
    add_news(exchange, &paper, hash->element[i], hash->element[i + 1], bucket);
  learn(exchange, &paper);
  free(paper.items);
}

/* --- reading ---------------------------------------------------------------
 */

static void ask_bucket(eown__exchange *exchange, uint64_t bucket) {
  char key[KEY_MAX];
  eown__key_write(exchange->service, bucket, key, sizeof(key));
  const char *argv[] = {"HGETALL", key};
  size_t lengths[] = {7, strlen(key)};
  eown__connection_command(&exchange->connection, 2, argv, lengths);
}

/* Oldest first: what is newest has the last word. */
static bool read_buckets(eown__exchange *exchange, uint64_t count) {
  for (uint64_t ago = count; ago-- > 0;)
    ask_bucket(exchange, exchange->bucket - ago);
  for (uint64_t ago = count; ago-- > 0;) {
    redisReply *reply = take_reply(exchange, REDIS_REPLY_ARRAY);
    if (reply != NULL)
      learn_bucket(exchange, reply, exchange->bucket - ago);
    freeReplyObject(reply);
  }
  return exchange->connection.redis != NULL && !exchange->some_failed;
}

/* A cluster says where the slot is: "MOVED SLOT HOST:PORT". */
static void follow(eown__exchange *exchange) {
  eown__connection *connection = &exchange->connection;
  const char *place = strrchr(connection->error, ' ');
  if (strncmp(connection->error, "MOVED ", 6) != 0 || place == NULL ||
      !eown_redis_address_parse(place + 1, &connection->moved))
    return;
  eown__connection_close(connection);
}

static bool begin(eown__exchange *exchange, uint64_t now_ms) {
  uint64_t bucket = current_bucket(exchange);
  exchange->now_ms = now_ms;
  exchange->some_failed = false;
  if (!eown__connection_begin(&exchange->connection))
    return false;
  if (bucket != exchange->bucket && exchange->bucket != 0)
    eown__ledger_tidy(&exchange->ledger, bucket);
  return true;
}

bool eown__exchange_run(eown__exchange *exchange, uint64_t now_ms) {
  if (!begin(exchange, now_ms))
    return false;
  bool first = exchange->bucket == 0;
  uint64_t before = exchange->bucket;
  exchange->bucket = current_bucket(exchange);
  eown_memory_drain(exchange->table, note, exchange);
  bool done = send_pending(exchange) &&
              read_buckets(exchange, first ? BUCKETS_KEPT : 2);
  if (!done) {
    exchange->bucket = first ? 0 : before;
    follow(exchange);
  }
  return done;
}

bool eown__exchange_read(eown__exchange *exchange, uint64_t now_ms) {
  if (!begin(exchange, now_ms))
    return false;
  exchange->bucket = current_bucket(exchange);
  bool done = read_buckets(exchange, BUCKETS_KEPT);
  if (!done)
    follow(exchange);
  return done;
}

bool eown__exchange_send(eown__exchange *exchange) {
  if (!begin(exchange, exchange->now_ms))
    return false;
  exchange->bucket = current_bucket(exchange);
  eown_memory_drain(exchange->table, note, exchange);
  return send_pending(exchange) && !exchange->some_failed;
}
