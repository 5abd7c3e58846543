/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_MEMORY_REDIS_H
#define EOWN_MEMORY_REDIS_H

#include "eown/memory_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dependency memory shared by the replicas of a service through Redis 4 or
 * newer. Link with eown::redis.
 *
 * Keys: one hash for each bucket of time, "eown:{SERVICE}:1:BUCKET", where
 * BUCKET is the wall clock's time over a twenty-fourth of the half-life (an
 * hour by default). The name of the service is the hash tag, so that all keys
 * of a service are in one slot of a Redis Cluster; where that is at another
 * node (MOVED), the exchange goes on there. A bucket expires after two
 * half-lives.
 *
 * Fields: "INBOUND OUTBOUND", or "INBOUND " for the inbound itself; bytes that
 * are not printable, spaces and '%' are percent-encoded. The value is one
 * integer: the failures of the edge (or the inbounds) times 2^32, plus those of
 * them with a failure of the inbound. Replicas add theirs with HINCRBY, read
 * the sums with HGETALL, and learn from what others have added since: so they
 * need agree on nothing else, and no script runs in Redis.
 *
 * Evidence is sent at most once: where Redis went away before it answered, what
 * was on its way counts as sent. A replica that starts anew also learns from
 * what it sent itself in its former life; as scores are bounded, that does no
 * harm. */

/* Shares a table, on a thread of its own. Redis may be away, slow, full or
 * talk nonsense: each exchange has a deadline, failures are counted
 * (memory_exchange_errors) and logged when they begin, and it is tried again
 * after a time that doubles up to half a minute, with jitter. Evidence is kept
 * meanwhile, in the table. */
typedef struct eown_memory_share eown_memory_share;

/* What a share works with. Texts are copied. */
typedef struct eown_memory_share_options {
  eown_memory_table *table; /* must outlive the share */
  const char *address;      /* as eown_redis_address_parse takes it */
  const char *service;      /* "": a service without a name, like others */
  uint64_t interval_ms;     /* between exchanges; not 0 */
  uint64_t half_life_ms;    /* of the table; the same for all replicas */
  uint32_t edges;           /* of the table: bounds what is taken in */
  uint64_t (*now_ms)(void); /* the table's clock; safe on any thread */
  void (*log)(void *user, const char *line); /* NULL: silent */
  void *user;
} eown_memory_share_options;

/* Starts the thread; its first exchange takes in all that is there. The
 * environment variable EOWN_MEMORY_REDIS_PASSWORD is the password where the
 * address has none. Returns NULL where the address is bad, or where memory or a
 * thread are not to be had. */
eown_memory_share *
eown_memory_share_start(const eown_memory_share_options *options);

/* Sends what was observed last, ends the thread and frees the share; takes no
 * longer than two deadlines (EOWN_MEMORY_SHARE_DEADLINE_MS). NULL is allowed.
 */
void eown_memory_share_stop(eown_memory_share *share);

#define EOWN_MEMORY_SHARE_DEADLINE_MS 2000u

/* Reads into the table what the replicas of `service` have shared, once.
 * Returns false, with a sentence in `message` (of `size` bytes), where that
 * fails. */
bool eown_memory_share_read(eown_memory_table *table, const char *address,
                            const char *service, uint64_t half_life_ms,
                            uint64_t now_ms, char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_MEMORY_REDIS_H */
