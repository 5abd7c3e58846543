/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The budget in steps:
 *   1. Time is cut into buckets of a tenth of the window, in a ring.
 *   2. A bucket that a new tenth of the window reaches is emptied by whoever
 *      gets there first (compare-and-swap on its epoch).
 *   3. A first attempt or a retry counts in the bucket of its time.
 *   4. A retry is allowed while the window's retries stay below
 *      percent/100 * first attempts + min_per_second * window.
 */
#include "eown/budget.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"

#define BUCKETS 10u
#define BUCKET_MS (EOWN_BUDGET_WINDOW_MS / BUCKETS)

typedef struct bucket {
  _Atomic uint64_t epoch;
  _Atomic uint32_t firsts;
  _Atomic uint32_t retries;
} bucket;

struct eown_budget {
  bucket buckets[BUCKETS];
  double ratio;
  double reserve; /* retries a window allowed without any first attempt */
  double percent;
  double min_per_second;
  eown_budget *next;
  unsigned references;
  const eown_allocator *allocator;
  char target[];
};

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static eown_budget *registry;

static eown_budget *find(const char *target, double percent,
                         double min_per_second) {
  eown_budget *budget = registry;
  while (budget != NULL &&
         (strcmp(budget->target, target) != 0 || budget->percent < percent ||
          budget->percent > percent ||
          budget->min_per_second < min_per_second ||
          budget->min_per_second > min_per_second))
    budget = budget->next;
  return budget;
}

static eown_budget *create(const char *target, double percent,
                           double min_per_second,
                           const eown_allocator *allocator) {
  size_t size = strlen(target) + 1;
  eown_budget *budget = eown__allocate(allocator, sizeof(*budget) + size);
  if (budget == NULL)
    return NULL;
  memset(budget, 0, sizeof(*budget));
  memcpy(budget->target, target, size);
  budget->ratio = percent / 100.0;
  budget->reserve = min_per_second * (EOWN_BUDGET_WINDOW_MS / 1000.0);
  budget->percent = percent;
  budget->min_per_second = min_per_second;
  budget->allocator = allocator;
  budget->next = registry;
  registry = budget;
  return budget;
}

eown_budget *eown_budget_acquire(const char *target, double percent,
                                 double min_per_second,
                                 const eown_allocator *allocator) {
  pthread_mutex_lock(&registry_mutex);
  eown_budget *budget = find(target, percent, min_per_second);
  if (budget == NULL)
    budget = create(target, percent, min_per_second, allocator);
  if (budget != NULL)
    budget->references++;
  pthread_mutex_unlock(&registry_mutex);
  return budget;
}

static void unlink_budget(eown_budget *budget) {
  eown_budget **link = &registry;
  while (*link != budget)
    link = &(*link)->next;
  *link = budget->next;
}

void eown_budget_release(eown_budget *budget) {
  if (budget == NULL)
    return;
  pthread_mutex_lock(&registry_mutex);
  bool last = --budget->references == 0;
  if (last)
    unlink_budget(budget);
  pthread_mutex_unlock(&registry_mutex);
  if (last)
    eown__release(budget->allocator, budget);
}

/* Epochs count from 1, so that 0 is a bucket never used. */
static uint64_t epoch_at(uint64_t now_ms) { return now_ms / BUCKET_MS + 1; }

static bucket *bucket_at(eown_budget *budget, uint64_t epoch) {
  bucket *b = &budget->buckets[epoch % BUCKETS];
  uint64_t seen = atomic_load_explicit(&b->epoch, memory_order_acquire);
  if (seen < epoch && atomic_compare_exchange_strong(&b->epoch, &seen, epoch)) {
    atomic_store_explicit(&b->firsts, 0, memory_order_relaxed);
    atomic_store_explicit(&b->retries, 0, memory_order_relaxed);
  }
  return b;
}

void eown_budget_deposit(eown_budget *budget, uint64_t now_ms) {
  bucket *b = bucket_at(budget, epoch_at(now_ms));
  atomic_fetch_add_explicit(&b->firsts, 1, memory_order_relaxed);
}

/* Retries still allowed in the window that ends at this epoch. */
static double left(eown_budget *budget, uint64_t epoch) {
  double firsts = 0;
  double retries = 0;
  for (unsigned i = 0; i < BUCKETS; i++) {
    bucket *b = &budget->buckets[i];
    uint64_t seen = atomic_load_explicit(&b->epoch, memory_order_acquire);
    if (seen + BUCKETS <= epoch)
      continue;
    firsts += atomic_load_explicit(&b->firsts, memory_order_relaxed);
    retries += atomic_load_explicit(&b->retries, memory_order_relaxed);
  }
  return budget->ratio * firsts + budget->reserve - retries;
}

/* A retry needs a whole one left; the tolerance absorbs 0.1 * 10 < 1. */
static const double one = 1.0 - 1e-9;

bool eown_budget_would_allow(eown_budget *budget, uint64_t now_ms) {
  return left(budget, epoch_at(now_ms)) >= one;
}

bool eown_budget_withdraw(eown_budget *budget, uint64_t now_ms) {
  if (!eown_budget_would_allow(budget, now_ms))
    return false;
  bucket *b = bucket_at(budget, epoch_at(now_ms));
  atomic_fetch_add_explicit(&b->retries, 1, memory_order_relaxed);
  return true;
}
