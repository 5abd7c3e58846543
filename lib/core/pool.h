/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_POOL_H
#define EOWN_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pool of equal places in one reserved range of addresses, which the
 * operating system backs as they are touched. Taking and giving back are
 * lock-free; a place keeps what was in it. Places are numbered; a number tells
 * pointers into the pool from others. */
typedef struct eown__pool {
  uint8_t *base; /* NULL until made */
  size_t stride;
  uint32_t capacity;
  _Atomic uint32_t fresh; /* places never used start here */
  _Atomic uint64_t free;  /* head of the free list: tag << 32 | index + 1 */
} eown__pool;

/* The first bytes of each place belong to the pool while the place is free. */
typedef struct eown__pool_link {
  _Atomic uint32_t next; /* index + 1 of the next free place, 0: none */
} eown__pool_link;

/* Reserves the addresses; false where they cannot be had. */
bool eown__pool_make(eown__pool *pool, size_t stride, uint32_t capacity);

/* Gives the addresses back; nobody may use the pool or its places any more. */
void eown__pool_unmake(eown__pool *pool);

/* Takes a place, NULL when all are in use; *fresh says that it is used for the
 * first time and holds zeros. */
void *eown__pool_take(eown__pool *pool, bool *fresh);

/* Gives a place back. */
void eown__pool_give(eown__pool *pool, void *place);

/* Says whether `pointer` is the start of a place that has been in use. */
static inline bool eown__pool_holds(const eown__pool *pool,
                                    const void *pointer) {
  uintptr_t base = (uintptr_t)pool->base;
  uintptr_t offset = (uintptr_t)pointer - base;
  return base != 0 && (uintptr_t)pointer >= base &&
         offset < pool->stride * atomic_load_explicit(&pool->fresh,
                                                      memory_order_relaxed) &&
         offset % pool->stride == 0;
}

#endif /* EOWN_POOL_H */
