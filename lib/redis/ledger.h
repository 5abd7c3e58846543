/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_LEDGER_H
#define EOWN_REDIS_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One field: what is to be sent of it, and how much of its sum is accounted for
 * in the current bucket and the one before. */
typedef struct eown__account {
  int64_t pending;
  int64_t seen[2]; /* by the bucket's parity */
  uint64_t bucket[2];
  size_t length;
  char *field;
} eown__account;

/* The accounts by field, in a bounded table. */
typedef struct eown__ledger {
  eown__account *accounts;
  size_t capacity; /* a power of two, at least twice the limit */
  size_t count;
  size_t limit;
  uint64_t bucket; /* that it was tidied for */
} eown__ledger;

/* False: out of memory. */
bool eown__ledger_init(eown__ledger *ledger, size_t limit);
void eown__ledger_clear(eown__ledger *ledger);

/* Finds the account of a field or opens it; NULL where there is no room. */
eown__account *eown__ledger_find(eown__ledger *ledger, const char *field,
                                 size_t length);

/* Finds the account of a field; NULL where there is none. */
eown__account *eown__ledger_look(const eown__ledger *ledger, const char *field,
                                 size_t length);

/* What is accounted for of the field in `bucket`. */
int64_t *eown__account_seen(eown__account *account, uint64_t bucket);

/* Closes the accounts that have nothing in `bucket` or the one before, and
 * nothing to send; once for each bucket. */
void eown__ledger_tidy(eown__ledger *ledger, uint64_t bucket);

#endif /* EOWN_REDIS_LEDGER_H */
