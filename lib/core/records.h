/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_RECORDS_H
#define EOWN_RECORDS_H

#include "baseline.h"
#include "eown/context.h"
#include "evidence.h"
#include "hot/hot.h"
#include "pool.h"

#include <pthread.h>

/* What the memory keeps of one edge, or of one inbound method that has edges.
 * An edge knows its inbound; the inbound counts its edges and goes with the
 * last of them. */
typedef struct eown__record {
  eown__pool_link link;
  uint32_t name_length;
  uint64_t key;
  struct eown__record *chain;   /* in the index */
  struct eown__record *inbound; /* of an edge; NULL: this is an inbound */
  struct eown__record *newer;   /* edges of a stripe, by use */
  struct eown__record *older;
  uint32_t edges; /* of an inbound */
  eown_edge_kind pinned;
  uint64_t last_ms;      /* when the edge failed last */
  uint64_t new_count;    /* not drained: failures of the edge, or inbounds */
  uint64_t new_together; /* and those with a failure of the inbound */
  union {
    struct {
      eown__evidence evidence;
      eown__share share;
    };
    eown__baseline baseline;
  };
  char name[EOWN_METHOD_MAX + 1]; /* of the outbound, or of the inbound */
} eown__record;

#define EOWN__STRIPES 16u

/* A part of the records with a lock of its own: some inbounds with all of their
 * edges. */
typedef struct eown__stripe {
  pthread_mutex_t mutex;
  eown__record *newest; /* edge */
  eown__record *oldest;
  eown__record **heads; /* of the index's chains */
  char apart[64];       /* stripes do not share a cache line */
} eown__stripe;

typedef struct eown__records {
  eown__hot_table hot;
  eown__stripe stripes[EOWN__STRIPES];
  eown__pool pool;
  uint32_t heads; /* of each stripe; a power of two */
  uint32_t limit; /* edges */
} eown__records;

/* Makes the records, with `heads` of eown__records_heads(limit) pointers for
 * all stripes, zeroed; false where there is no memory. */
uint32_t eown__records_heads(uint32_t limit);
bool eown__records_init(eown__records *records, uint32_t limit,
                        eown__record **heads);
void eown__records_clear(eown__records *records);

/* Returns the stripe of an inbound, locked. */
eown__stripe *eown__records_lock(eown__records *records, const char *inbound,
                                 size_t length);

/* The same where the lock is free, or else NULL. */
eown__stripe *eown__records_try_lock(eown__records *records,
                                     const char *inbound, size_t length);
void eown__records_unlock(eown__stripe *stripe);

/* Finds an inbound, or (`add`) makes it. It is to be kept until
 * eown__records_leave, which lets it go where it has no edge. NULL: there is
 * none, or no room. */
eown__record *eown__records_enter(eown__records *records, eown__stripe *stripe,
                                  const char *name, size_t length, bool add);
void eown__records_leave(eown__records *records, eown__stripe *stripe,
                         eown__record *inbound);

/* Finds an edge of an inbound, or (`add`) makes it, at the cost of the least
 * recently used one where there is no room, and marks it as used. */
eown__record *eown__records_edge(eown__records *records, eown__stripe *stripe,
                                 eown__record *inbound, const char *name,
                                 size_t length, bool add);

/* Calls `visit` with each record, its stripe being locked. */
void eown__records_each(eown__records *records,
                        void (*visit)(void *user, eown__record *record),
                        void (*unlocked)(void *user), void *user);

#endif /* EOWN_RECORDS_H */
