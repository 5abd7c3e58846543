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
#include <search.h>
#include <stdatomic.h>
#include <string.h>

#include "allocate.h"

#define BUCKETS 10u
#define BUCKET_MS (EOWN_BUDGET_WINDOW_MS / BUCKETS)

typedef struct bucket {
  _Atomic uint64_t epoch;
  _Atomic int32_t firsts; /* negative for a while: deposits taken back */
  _Atomic uint32_t retries;
} bucket;

/* What tells budgets apart. */
typedef struct key {
  const char *target;
  double percent;
  double min_per_second;
} key;

struct eown_budget {
  key key; /* first: the registry finds a budget by it */
  bucket buckets[BUCKETS];
  double ratio;
  double reserve; /* retries a window allowed without any first attempt */
  unsigned references;
  const eown_allocator *allocator;
  char target[];
};

/* The budgets in use, as libc's search tree. */
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static void *registry;

static int compare_numbers(double a, double b) { return (a > b) - (a < b); }

static int compare(const void *left, const void *right) {
  const key *a = left;
  const key *b = right;
  int order = strcmp(a->target, b->target);
  if (order == 0)
    order = compare_numbers(a->percent, b->percent);
  return order != 0 ? order
                    : compare_numbers(a->min_per_second, b->min_per_second);
}

static eown_budget *find(const key *wanted) {
  void *node = tfind(wanted, &registry, compare);
  return node == NULL ? NULL : *(eown_budget **)node;
}

static eown_budget *create(const key *wanted, const eown_allocator *allocator) {
  size_t size = strlen(wanted->target) + 1;
  eown_budget *budget = eown__allocate(allocator, sizeof(*budget) + size);
  if (budget == NULL)
    return NULL;
  memset(budget, 0, sizeof(*budget));
  memcpy(budget->target, wanted->target, size);
  budget->key = *wanted;
  budget->key.target = budget->target;
  budget->ratio = wanted->percent / 100.0;
  budget->reserve = wanted->min_per_second * (EOWN_BUDGET_WINDOW_MS / 1000.0);
  budget->allocator = allocator;
  return budget;
}

static eown_budget *enter(const key *wanted, const eown_allocator *allocator) {
  eown_budget *budget = create(wanted, allocator);
  if (budget == NULL || tsearch(budget, &registry, compare) != NULL)
    return budget;
  eown__release(allocator, budget);
  return NULL;
}

eown_budget *eown_budget_acquire(const char *target, double percent,
                                 double min_per_second,
                                 const eown_allocator *allocator) {
  key wanted = {target, percent, min_per_second};
  pthread_mutex_lock(&registry_mutex);
  eown_budget *budget = find(&wanted);
  if (budget == NULL)
    budget = enter(&wanted, allocator);
  if (budget != NULL)
    budget->references++;
  pthread_mutex_unlock(&registry_mutex);
  return budget;
}

void eown_budget_release(eown_budget *budget) {
  if (budget == NULL)
    return;
  pthread_mutex_lock(&registry_mutex);
  bool last = --budget->references == 0;
  if (last)
    tdelete(budget, &registry, compare);
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

bool eown_budget_withdraw_call(eown_budget *budget, uint64_t now_ms) {
  if (!eown_budget_withdraw(budget, now_ms))
    return false;
  bucket *b = bucket_at(budget, epoch_at(now_ms));
  atomic_fetch_sub_explicit(&b->firsts, 1, memory_order_relaxed);
  return true;
}
