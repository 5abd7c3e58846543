/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* An exchange in steps:
 *   1. The sums of this bucket and of the one before are read, with those that
 *      went by since the last time (the first time, all that have not expired).
 *      That also shows that Redis is there.
 *   2. What is new in a sum, by the ledger, is learned: inbound by inbound, old
 *      buckets at the weight they have left. Where a bucket cannot be read the
 *      next exchange goes on with it: none is learned from twice.
 *   3. What was observed here goes from the table into the ledger, and from
 *      there to Redis, in one pipeline.
 */
#include "exchange.h"

#include "field.h"
#include "news.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_MAX (3 * EOWN_OWNER_MAX + 64)
#define BUCKETS_KEPT 48u

static uint64_t bucket_ms(const eown__exchange *exchange) {
  uint64_t ms = exchange->half_life_ms / EOWN__BUCKETS_IN_HALF_LIFE;
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

/* A sum that is smaller than it must be is that of a Redis that lost what it
 * had: what else is in it is new, the own part is not. */
static void account_for_own(const eown__exchange *exchange,
                            eown__account *account, int64_t sum) {
  int64_t *seen = eown__account_seen(account, exchange->bucket);
  *seen += account->pending;
  if (!eown__counts_grew(*seen, sum))
    *seen = account->pending;
}

/* What Redis refused is kept; what it did not answer to counts as sent. */
static void settle(eown__exchange *exchange, eown__account *account) {
  redisReply *reply = take_reply(exchange, REDIS_REPLY_INTEGER);
  if (reply == NULL && exchange->connection.redis != NULL)
    return;
  if (reply != NULL)
    account_for_own(exchange, account, reply->integer);
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

/* --- reading ---------------------------------------------------------------
 */

static void ask_bucket(eown__exchange *exchange, uint64_t bucket) {
  char key[KEY_MAX];
  eown__key_write(exchange->service, bucket, key, sizeof(key));
  const char *argv[] = {"HGETALL", key};
  size_t lengths[] = {7, strlen(key)};
  eown__connection_command(&exchange->connection, 2, argv, lengths);
}

/* What is older than this does not grow any more. */
static uint64_t previous(const eown__exchange *exchange) {
  return exchange->bucket == 0 ? 0 : exchange->bucket - 1;
}

static uint64_t at_most(uint64_t value, uint64_t most) {
  return value < most ? value : most;
}

/* Where the reading begins; buckets that have expired are left out. The wall
 * clock may have gone back. */
static uint64_t oldest(const eown__exchange *exchange) {
  uint64_t least =
      exchange->bucket < BUCKETS_KEPT ? 0 : exchange->bucket - BUCKETS_KEPT + 1;
  uint64_t from = exchange->from > least ? exchange->from : least;
  return at_most(from, previous(exchange));
}

/* Oldest first: what is newest has the last word. */
static bool read_buckets(eown__exchange *exchange) {
  bool whole = true;
  uint64_t from = oldest(exchange);
  for (uint64_t bucket = from; bucket <= exchange->bucket; bucket++)
    ask_bucket(exchange, bucket);
  for (uint64_t bucket = from; bucket <= exchange->bucket; bucket++) {
    redisReply *reply = take_reply(exchange, REDIS_REPLY_ARRAY);
    whole = whole && reply != NULL;
    if (whole) {
      eown__news_learn(exchange, reply, bucket);
      exchange->from = at_most(bucket + 1, previous(exchange));
    }
    freeReplyObject(reply);
  }
  return whole && exchange->connection.redis != NULL;
}

static bool begin(eown__exchange *exchange, uint64_t now_ms) {
  exchange->bucket = current_bucket(exchange);
  exchange->now_ms = now_ms;
  exchange->some_failed = false;
  return eown__connection_begin(&exchange->connection);
}

/* A cluster says where the slot is: "MOVED SLOT HOST:PORT". */
static bool follow(eown__exchange *exchange) {
  char error[sizeof(exchange->connection.error)];
  memcpy(error, exchange->connection.error, sizeof(error));
  const char *place = strrchr(error, ' ');
  exchange->some_failed = false;
  return strncmp(error, "MOVED ", 6) == 0 &&
         eown__connection_move(&exchange->connection, place + 1);
}

bool eown__exchange_read(eown__exchange *exchange, uint64_t now_ms) {
  if (!begin(exchange, now_ms) ||
      !(read_buckets(exchange) || (follow(exchange) && read_buckets(exchange))))
    return false;
  eown__ledger_tidy(&exchange->ledger, exchange->bucket);
  return true;
}

bool eown__exchange_run(eown__exchange *exchange, uint64_t now_ms) {
  if (!eown__exchange_read(exchange, now_ms))
    return false;
  eown_memory_drain(exchange->table, note, exchange);
  return send_pending(exchange) && !exchange->some_failed;
}

bool eown__exchange_send(eown__exchange *exchange) {
  if (!begin(exchange, exchange->now_ms))
    return false;
  eown_memory_drain(exchange->table, note, exchange);
  return send_pending(exchange) && !exchange->some_failed;
}
