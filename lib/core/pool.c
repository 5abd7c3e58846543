/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The free list is a stack whose head carries a tag that grows with every
 * change, so that a head read before another thread took and gave back the same
 * place is not mistaken for the current one. Last in, first out keeps the
 * places in use few and their memory warm. */
#include "pool.h"

#include <sys/mman.h>

bool eown__pool_make(eown__pool *pool, size_t stride, uint32_t capacity) {
  void *base = mmap(NULL, stride * capacity, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return false;
  pool->stride = stride;
  pool->capacity = capacity;
  pool->base = base;
  return true;
}

void eown__pool_unmake(eown__pool *pool) {
  munmap(pool->base, pool->stride * pool->capacity);
  pool->base = NULL;
}

static eown__pool_link *link_at(const eown__pool *pool, uint32_t index) {
  return (eown__pool_link *)(void *)(pool->base + index * pool->stride);
}

static uint64_t head_of(uint64_t old, uint32_t next) {
  return ((old >> 32) + 1) << 32 | next;
}

static void *take_fresh(eown__pool *pool) {
  uint32_t index = atomic_load_explicit(&pool->fresh, memory_order_relaxed);
  do {
    if (index >= pool->capacity)
      return NULL;
  } while (!atomic_compare_exchange_weak_explicit(
      &pool->fresh, &index, index + 1, memory_order_relaxed,
      memory_order_relaxed));
  return link_at(pool, index);
}

void *eown__pool_take(eown__pool *pool, bool *fresh) {
  uint64_t head = atomic_load_explicit(&pool->free, memory_order_acquire);
  for (;;) {
    uint32_t place = (uint32_t)head;
    if (place == 0) {
      *fresh = true;
      return pool->base == NULL ? NULL : take_fresh(pool);
    }
    eown__pool_link *link = link_at(pool, place - 1);
    uint32_t next = atomic_load_explicit(&link->next, memory_order_relaxed);
    if (atomic_compare_exchange_weak_explicit(
            &pool->free, &head, head_of(head, next), memory_order_acq_rel,
            memory_order_acquire)) {
      *fresh = false;
      return link;
    }
  }
}

void eown__pool_give(eown__pool *pool, void *place) {
  eown__pool_link *link = place;
  uint32_t index =
      (uint32_t)(((uint8_t *)place - pool->base) / (ptrdiff_t)pool->stride);
  uint64_t head = atomic_load_explicit(&pool->free, memory_order_relaxed);
  do {
    atomic_store_explicit(&link->next, (uint32_t)head, memory_order_relaxed);
  } while (!atomic_compare_exchange_weak_explicit(
      &pool->free, &head, head_of(head, index + 1), memory_order_release,
      memory_order_relaxed));
}
