/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/memory_redis.h"

#include "eown/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "worker.h"

/* The wait after failures, before jitter. */
#define BACKOFF_FIRST_MS 100u
#define BACKOFF_MAX_MS 30000u

/* Fields of a table: its edges and their inbounds, and room for those that
 * others have and this one has not. */
#define FIELDS_PER_EDGE 4u
#define BYTES_PER_EDGE 8192u

struct eown_memory_share {
  eown_memory_share_options options;
  eown__worker worker;
  eown__exchange exchange; /* the thread's own, as the rest */
  uint64_t backoff_ms;     /* 0: the last exchange succeeded */
  uint64_t random;
  char *address;
  char *service;
};

/* --- the thread ------------------------------------------------------------
 */

static void say(const eown_memory_share *share) {
  char line[1024];
  const eown__connection *connection = &share->exchange.connection;
  snprintf(line, sizeof(line),
           "memory in Redis at %s: %s; going on with what is learned here",
           connection->address.host, connection->error);
  if (share->options.log != NULL)
    share->options.log(share->options.user, line);
}

static uint64_t jitter(eown_memory_share *share, uint64_t ms) {
  share->random = share->random * 6364136223846793005u + 1442695040888963407u;
  return ms / 2 + (share->random >> 33) % (ms / 2 + 1);
}

/* Returns how long to wait before the next exchange. */
static uint64_t after_failure(eown_memory_share *share) {
  eown_count(EOWN_COUNTER_memory_exchange_errors);
  if (share->backoff_ms == 0)
    say(share);
  uint64_t twice = 2 * share->backoff_ms;
  share->backoff_ms = twice < BACKOFF_FIRST_MS ? BACKOFF_FIRST_MS
                      : twice > BACKOFF_MAX_MS ? BACKOFF_MAX_MS
                                               : twice;
  return jitter(share, share->backoff_ms);
}

static uint64_t exchange_once(eown_memory_share *share) {
  if (!eown__exchange_run(&share->exchange, share->options.now_ms()))
    return after_failure(share);
  eown_count(EOWN_COUNTER_memory_exchanges);
  share->backoff_ms = 0;
  return share->options.interval_ms;
}

static void *work(void *pointer) {
  eown_memory_share *share = pointer;
  while (eown__worker_wait(&share->worker, exchange_once(share)))
    ;
  if (share->backoff_ms == 0 && !eown__exchange_send(&share->exchange))
    eown_count(EOWN_COUNTER_memory_exchange_errors);
  return NULL;
}

/* --- life ------------------------------------------------------------------
 */

static bool read_address(eown_redis_address *address, const char *text) {
  const char *password = getenv("EOWN_MEMORY_REDIS_PASSWORD");
  if (!eown_redis_address_parse(text, address))
    return false;
  if (address->password[0] == '\0' && password != NULL)
    snprintf(address->password, sizeof(address->password), "%s", password);
  return true;
}

static bool init_exchange(eown__exchange *exchange, const char *address,
                          uint32_t edges) {
  exchange->connection.size_limit = (size_t)edges * BYTES_PER_EDGE + (1u << 20);
  return read_address(&exchange->connection.address, address) &&
         eown__ledger_init(&exchange->ledger, (size_t)edges * FIELDS_PER_EDGE);
}

static void clear_exchange(eown__exchange *exchange) {
  eown__connection_close(&exchange->connection);
  eown__ledger_clear(&exchange->ledger);
}

static void clear(eown_memory_share *share) {
  clear_exchange(&share->exchange);
  free(share->address);
  free(share->service);
  free(share);
}

static bool init(eown_memory_share *share,
                 const eown_memory_share_options *options) {
  share->options = *options;
  share->random = (uint64_t)(uintptr_t)share;
  share->address = strdup(options->address);
  share->service = strdup(options->service);
  share->exchange.table = options->table;
  share->exchange.service = share->service;
  share->exchange.half_life_ms = options->half_life_ms;
  return share->address != NULL && share->service != NULL &&
         init_exchange(&share->exchange, share->address, options->edges);
}

eown_memory_share *
eown_memory_share_start(const eown_memory_share_options *options) {
  eown_memory_share *share = calloc(1, sizeof(*share));
  if (share == NULL)
    return NULL;
  if (init(share, options) && eown__worker_start(&share->worker, work, share))
    return share;
  clear(share);
  return NULL;
}

void eown_memory_share_stop(eown_memory_share *share) {
  if (share == NULL)
    return;
  eown__worker_stop(&share->worker);
  clear(share);
}

/* --- reading once ----------------------------------------------------------
 */

typedef struct reading {
  eown__exchange exchange;
  uint64_t now_ms;
  bool done;
} reading;

static void *read_once(void *pointer) {
  reading *self = pointer;
  self->done = eown__exchange_read(&self->exchange, self->now_ms);
  return NULL;
}

/* On a thread of its own too: where Redis hangs up, SIGPIPE stays there. */
static const char *read_on_thread(reading *self) {
  eown__worker worker;
  if (!eown__worker_start(&worker, read_once, self))
    return "no thread for it";
  eown__worker_stop(&worker);
  return self->exchange.connection.error;
}

/* Without the password. */
static const char *place_of(const char *address) {
  const char *at = strrchr(address, '@');
  return at == NULL ? address : at + 1;
}

bool eown_memory_share_read(eown_memory_table *table, const char *address,
                            const char *service, uint64_t half_life_ms,
                            uint64_t now_ms, char *message, size_t size) {
  reading self = {.exchange = {.table = table,
                               .service = service,
                               .half_life_ms = half_life_ms},
                  .now_ms = now_ms};
  const char *reason =
      init_exchange(&self.exchange, address, EOWN_MEMORY_EDGES_DEFAULT)
          ? read_on_thread(&self)
          : "expected HOST:PORT";
  if (!self.done)
    snprintf(message, size, "memory in Redis at %s: %s", place_of(address),
             reason);
  clear_exchange(&self.exchange);
  return self.done;
}
