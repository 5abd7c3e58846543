/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_EXCHANGE_H
#define EOWN_REDIS_EXCHANGE_H

#include "connection.h"
#include "eown/memory_table.h"
#include "ledger.h"

#define EOWN__BUCKETS_IN_HALF_LIFE 24u

/* What the replicas have in common, as one of them sees it. */
typedef struct eown__exchange {
  eown_memory_table *table;
  eown__connection connection;
  eown__ledger ledger;
  const char *service; /* borrowed */
  uint64_t half_life_ms;
  uint64_t bucket;  /* of this exchange, or else of the last one */
  uint64_t from;    /* the first bucket to be read next; 0: all there are */
  uint64_t now_ms;  /* of this exchange, by the table's clock */
  bool some_failed; /* of this exchange: Redis answered errors */
} eown__exchange;

/* Learns from what the others sent since the last time, or, the first time,
 * from all that is there; then sends what was observed here. False where
 * something failed; `connection.error` says what. */
bool eown__exchange_run(eown__exchange *exchange, uint64_t now_ms);

/* The same without sending anything. */
bool eown__exchange_read(eown__exchange *exchange, uint64_t now_ms);

/* Sends alone. */
bool eown__exchange_send(eown__exchange *exchange);

#endif /* EOWN_REDIS_EXCHANGE_H */
