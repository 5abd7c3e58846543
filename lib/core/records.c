/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "records.h"

#include "eown/counters.h"

#include <string.h>
#include <xxhash.h>

uint32_t eown__records_heads(uint32_t limit) {
  uint32_t heads = 16;
  while (heads * EOWN__STRIPES < limit)
    heads *= 2;
  return heads * EOWN__STRIPES;
}

/* Every edge may have an inbound of its own; one more of each is taken before
 * an old one goes, on every stripe at once. */
static uint32_t places(uint32_t limit) { return 2 * (limit + EOWN__STRIPES); }

bool eown__records_init(eown__records *records, uint32_t limit,
                        eown__record **heads) {
  size_t stride = (sizeof(eown__record) + 63) / 64 * 64;
  if (!eown__pool_make(&records->pool, stride, places(limit)))
    return false;
  records->limit = limit;
  records->heads = eown__records_heads(limit) / EOWN__STRIPES;
  for (uint32_t i = 0; i < EOWN__STRIPES; i++) {
    eown__stripe *stripe = &records->stripes[i];
    pthread_mutex_init(&stripe->mutex, NULL);
    stripe->heads = heads + (size_t)i * records->heads;
  }
  return true;
}

void eown__records_clear(eown__records *records) {
  for (uint32_t i = 0; i < EOWN__STRIPES; i++)
    pthread_mutex_destroy(&records->stripes[i].mutex);
  eown__pool_unmake(&records->pool);
}

static uint64_t key_of(const char *name, size_t length, uint64_t seed) {
  return XXH3_64bits_withSeed(name, length, seed);
}

static eown__stripe *stripe_of(eown__records *records, const char *inbound,
                               size_t length) {
  return &records->stripes[key_of(inbound, length, 0) % EOWN__STRIPES];
}

eown__stripe *eown__records_lock(eown__records *records, const char *inbound,
                                 size_t length) {
  eown__stripe *stripe = stripe_of(records, inbound, length);
  pthread_mutex_lock(&stripe->mutex);
  return stripe;
}

eown__stripe *eown__records_try_lock(eown__records *records,
                                     const char *inbound, size_t length) {
  eown__stripe *stripe = stripe_of(records, inbound, length);
  return pthread_mutex_trylock(&stripe->mutex) == 0 ? stripe : NULL;
}

void eown__records_unlock(eown__stripe *stripe) {
  pthread_mutex_unlock(&stripe->mutex);
}

/* --- index -----------------------------------------------------------------
 */

static eown__record **head_of(const eown__records *records,
                              const eown__stripe *stripe, uint64_t key) {
  return &stripe->heads[key / EOWN__STRIPES % records->heads];
}

static eown__record *find(const eown__records *records,
                          const eown__stripe *stripe,
                          const eown__record *inbound, uint64_t key) {
  eown__record *record = *head_of(records, stripe, key);
  while (record != NULL && (record->key != key || record->inbound != inbound))
    record = record->chain;
  return record;
}

static eown__record *add(eown__records *records, eown__stripe *stripe,
                         eown__record *inbound, uint64_t key) {
  bool fresh;
  eown__record *record = eown__pool_take(&records->pool, &fresh);
  if (record == NULL)
    return NULL;
  memset((char *)record + sizeof(record->link), 0,
         sizeof(*record) - sizeof(record->link));
  record->key = key;
  record->inbound = inbound;
  eown__record **head = head_of(records, stripe, key);
  record->chain = *head;
  *head = record;
  return record;
}

static void set_name(eown__record *record, const char *name, size_t length) {
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  memcpy(record->name, name, kept);
  record->name_length = (uint32_t)kept;
}

static void drop(eown__records *records, eown__stripe *stripe,
                 eown__record *record) {
  eown__record **link = head_of(records, stripe, record->key);
  while (*link != record)
    link = &(*link)->chain;
  *link = record->chain;
  eown__pool_give(&records->pool, record);
}

/* --- edges by use ----------------------------------------------------------
 */

static void unlink_edge(eown__stripe *stripe, eown__record *edge) {
  *(edge->newer != NULL ? &edge->newer->older : &stripe->newest) = edge->older;
  *(edge->older != NULL ? &edge->older->newer : &stripe->oldest) = edge->newer;
}

static void link_newest(eown__stripe *stripe, eown__record *edge) {
  edge->newer = NULL;
  edge->older = stripe->newest;
  *(edge->older != NULL ? &edge->older->newer : &stripe->oldest) = edge;
  stripe->newest = edge;
}

static void remove_edge(eown__records *records, eown__stripe *stripe,
                        eown__record *edge) {
  eown__record *inbound = edge->inbound;
  unlink_edge(stripe, edge);
  drop(records, stripe, edge);
  __atomic_fetch_sub(&records->hot.edges, 1, __ATOMIC_RELAXED);
  eown__records_leave(records, stripe, inbound);
}

static bool evict(eown__records *records, eown__stripe *stripe) {
  if (stripe->oldest == NULL)
    return false;
  eown_count(EOWN_COUNTER_memory_evictions);
  remove_edge(records, stripe, stripe->oldest);
  return true;
}

/* Where this stripe has no edge, another one whose lock is free gives one. */
static bool evict_elsewhere(eown__records *records, const eown__stripe * not ) {
  bool done = false;
  for (uint32_t i = 0; i < EOWN__STRIPES && !done; i++) {
    eown__stripe *stripe = &records->stripes[i];
    if (stripe == not || pthread_mutex_trylock(&stripe->mutex) != 0)
      continue;
    done = evict(records, stripe);
    pthread_mutex_unlock(&stripe->mutex);
  }
  return done;
}

static bool make_room(eown__records *records, eown__stripe *stripe) {
  uint32_t edges = __atomic_fetch_add(&records->hot.edges, 1, __ATOMIC_RELAXED);
  if (edges < records->limit || evict(records, stripe) ||
      evict_elsewhere(records, stripe))
    return true;
  __atomic_fetch_sub(&records->hot.edges, 1, __ATOMIC_RELAXED);
  return false;
}

/* --- what the memory asks for ----------------------------------------------
 */

eown__record *eown__records_enter(eown__records *records, eown__stripe *stripe,
                                  const char *name, size_t length,
                                  bool wanted) {
  uint64_t key = key_of(name, length, 0);
  eown__record *inbound = find(records, stripe, NULL, key);
  if (inbound == NULL && wanted) {
    inbound = add(records, stripe, NULL, key);
    if (inbound != NULL) {
      set_name(inbound, name, length);
      inbound->baseline = (eown__baseline)EOWN__BASELINE_INIT;
    }
  }
  if (inbound != NULL)
    inbound->edges++;
  return inbound;
}

void eown__records_leave(eown__records *records, eown__stripe *stripe,
                         eown__record *inbound) {
  if (--inbound->edges == 0)
    drop(records, stripe, inbound);
}

static eown__record *add_edge(eown__records *records, eown__stripe *stripe,
                              eown__record *inbound, uint64_t key) {
  if (!make_room(records, stripe))
    return NULL;
  eown__record *edge = add(records, stripe, inbound, key);
  if (edge == NULL) {
    __atomic_fetch_sub(&records->hot.edges, 1, __ATOMIC_RELAXED);
    return NULL;
  }
  inbound->edges++;
  link_newest(stripe, edge);
  return edge;
}

eown__record *eown__records_edge(eown__records *records, eown__stripe *stripe,
                                 eown__record *inbound, const char *name,
                                 size_t length, bool wanted) {
  uint64_t key = key_of(name, length, inbound->key);
  eown__record *edge = find(records, stripe, inbound, key);
  if (edge == NULL && wanted) {
    edge = add_edge(records, stripe, inbound, key);
    if (edge != NULL)
      set_name(edge, name, length);
  } else if (edge != NULL && wanted) {
    unlink_edge(stripe, edge);
    link_newest(stripe, edge);
  }
  return edge;
}

void eown__records_each(eown__records *records,
                        void (*visit)(void *user, eown__record *record),
                        void (*unlocked)(void *user), void *user) {
  for (uint32_t i = 0; i < EOWN__STRIPES; i++) {
    eown__stripe *stripe = &records->stripes[i];
    for (uint32_t head = 0; head < records->heads; head++) {
      pthread_mutex_lock(&stripe->mutex);
      for (eown__record *r = stripe->heads[head]; r != NULL; r = r->chain)
        visit(user, r);
      pthread_mutex_unlock(&stripe->mutex);
      unlocked(user);
    }
  }
}
