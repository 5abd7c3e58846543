/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/counters.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <xxhash.h>

#include "hot/hot.h"

/* Totals are kept in stripes, one cache line or more apart, so that threads do
 * not contend; a thread keeps to its stripe. */
#define STRIPES 16u

typedef struct stripe {
  _Alignas(64) uint64_t values[EOWN_COUNTER_N];
} stripe;

static stripe stripes[STRIPES];
static _Atomic unsigned next_stripe;
/* The first stripe is what a thread has before it has chosen another. */
EOWN__THREAD_LOCAL eown__hot_own eown__hot_thread = {.counts =
                                                         stripes[0].values};

static const char *const names[EOWN_COUNTER_N] = {
#define EOWN_COUNTER_NAME(name, text) [EOWN_COUNTER_##name] = #name,
    EOWN_COUNTER_LIST(EOWN_COUNTER_NAME)
#undef EOWN_COUNTER_NAME
};

static const char *const texts[EOWN_COUNTER_N] = {
#define EOWN_COUNTER_TEXT(name, text) [EOWN_COUNTER_##name] = text,
    EOWN_COUNTER_LIST(EOWN_COUNTER_TEXT)
#undef EOWN_COUNTER_TEXT
};

const char *eown_counter_name(eown_counter counter) {
  return (unsigned)counter < EOWN_COUNTER_N ? names[counter] : "unknown";
}

const char *eown_counter_text(eown_counter counter) {
  return (unsigned)counter < EOWN_COUNTER_N ? texts[counter] : "unknown";
}

static uint64_t read(const uint64_t *value) {
  return __atomic_load_n(value, __ATOMIC_RELAXED);
}

void eown__hot_choose_counts(void) {
  if (eown__hot_thread.counts != stripes[0].values)
    return;
  unsigned chosen = 1 + atomic_fetch_add(&next_stripe, 1) % (STRIPES - 1);
  eown__hot_thread.counts = stripes[chosen].values;
}

void eown_count(eown_counter counter) {
  eown__hot_choose_counts();
  eown__hot_count(counter);
}

uint64_t eown_counter_read(eown_counter counter) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < STRIPES; i++)
    sum += read(&stripes[i].values[counter]);
  return sum;
}

/* --- one by one by outbound method: an open-addressed table that only grows.
 * A slot is taken by writing its hash, then named, then marked as ready. --- */

typedef struct method {
  _Atomic uint64_t hash; /* 0: free */
  _Atomic bool ready;
  char name[EOWN_METHOD_MAX + 1];
  uint64_t values[EOWN_COUNTER_N];
} method;

static method methods[EOWN_COUNTER_METHODS];

static void name_method(method *slot, const char *name, uint32_t length) {
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  memcpy(slot->name, name, kept);
  slot->name[kept] = '\0';
  atomic_store_explicit(&slot->ready, true, memory_order_release);
}

/* Says whether the slot is this hash's, taking it where it is free. */
static bool take(method *slot, uint64_t hash, const char *name,
                 uint32_t length) {
  uint64_t seen = atomic_load_explicit(&slot->hash, memory_order_relaxed);
  if (seen == 0 && atomic_compare_exchange_strong(&slot->hash, &seen, hash)) {
    name_method(slot, name, length);
    return true;
  }
  return seen == hash;
}

static method *find(const char *name, uint32_t length) {
  uint64_t hash = XXH3_64bits(name, length) | 1u;
  for (unsigned i = 0; i < EOWN_COUNTER_METHODS; i++) {
    method *slot = &methods[(hash / 2 + i) % EOWN_COUNTER_METHODS];
    if (take(slot, hash, name, length))
      return slot;
  }
  return NULL;
}

void eown_count_method(eown_counter counter, const char *name,
                       uint32_t length) {
  eown_count(counter);
  method *slot = find(name, length);
  if (slot == NULL)
    eown_count(EOWN_COUNTER_method_limit);
  else
    __atomic_fetch_add(&slot->values[counter], 1, __ATOMIC_RELAXED);
}

/* Says whether any of them is not zero. */
static bool read_values(const method *slot, uint64_t *values) {
  uint64_t any = 0;
  for (unsigned i = 0; i < EOWN_COUNTER_N; i++) {
    values[i] = read(&slot->values[i]);
    any |= values[i];
  }
  return any != 0;
}

void eown_counters_each(void (*visit)(void *user, const char *method,
                                      const uint64_t *values),
                        void *user) {
  uint64_t values[EOWN_COUNTER_N];
  for (unsigned i = 0; i < EOWN_COUNTER_METHODS; i++) {
    if (!atomic_load_explicit(&methods[i].ready, memory_order_acquire))
      continue;
    if (read_values(&methods[i], values))
      visit(user, methods[i].name, values);
  }
}

static void clear(uint64_t *values) {
  for (unsigned i = 0; i < EOWN_COUNTER_N; i++)
    __atomic_store_n(&values[i], 0, __ATOMIC_RELAXED);
}

void eown_counters_reset(void) {
  for (unsigned i = 0; i < STRIPES; i++)
    clear(stripes[i].values);
  for (unsigned i = 0; i < EOWN_COUNTER_METHODS; i++)
    clear(methods[i].values);
}

void eown_count_received(eown_claim claim, const char *method,
                         uint32_t length) {
  static const eown_counter counters[EOWN_CLAIM_N] = {
      [EOWN_CLAIM_MISSING] = EOWN_COUNTER_received_missing,
      [EOWN_CLAIM_CLAIMED] = EOWN_COUNTER_received_claimed,
      [EOWN_CLAIM_UNCLAIMED] = EOWN_COUNTER_received_unclaimed,
  };
  if (length > 0)
    eown_count_method(counters[claim], method, length);
  else
    eown_count(counters[claim]);
}
