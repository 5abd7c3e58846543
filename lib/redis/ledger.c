/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool eown__ledger_init(eown__ledger *ledger, size_t limit) {
  size_t capacity = 64;
  while (capacity < 2 * limit)
    capacity *= 2;
  *ledger = (eown__ledger){
      .accounts = calloc(capacity, sizeof(eown__account)),
      .capacity = capacity,
      .limit = limit,
  };
  return ledger->accounts != NULL;
}

void eown__ledger_clear(eown__ledger *ledger) {
  for (size_t i = 0; i < ledger->capacity && ledger->accounts != NULL; i++)
    free(ledger->accounts[i].field);
  free(ledger->accounts);
  *ledger = (eown__ledger){0};
}

/* The field's account, or the free one where it would be. */
static eown__account *place_of(const eown__ledger *ledger, const char *field,
                               size_t length) {
  size_t i = XXH3_64bits(field, length) & (ledger->capacity - 1);
  for (;;) {
    eown__account *account = &ledger->accounts[i];
    if (account->field == NULL || (account->length == length &&
                                   memcmp(account->field, field, length) == 0))
      return account;
    i = (i + 1) & (ledger->capacity - 1);
  }
}

eown__account *eown__ledger_look(const eown__ledger *ledger, const char *field,
                                 size_t length) {
  eown__account *account = place_of(ledger, field, length);
  return account->field == NULL ? NULL : account;
}

eown__account *eown__ledger_find(eown__ledger *ledger, const char *field,
                                 size_t length) {
  eown__account *account = place_of(ledger, field, length);
  if (account->field != NULL)
    return account;
  char *copy = ledger->count < ledger->limit ? malloc(length + 1) : NULL;
  if (copy == NULL)
    return NULL;
  memcpy(copy, field, length);
  copy[length] = '\0';
  *account = (eown__account){.field = copy, .length = length};
  ledger->count++;
  return account;
}

int64_t *eown__account_seen(eown__account *account, uint64_t bucket) {
  size_t side = bucket % 2;
  if (account->bucket[side] != bucket) {
    account->bucket[side] = bucket;
    account->seen[side] = 0;
  }
  return &account->seen[side];
}

static bool is_open(const eown__account *account, uint64_t bucket) {
  return account->pending != 0 || account->bucket[0] + 1 >= bucket ||
         account->bucket[1] + 1 >= bucket;
}

/* The accounts that stay are put into a table anew: with open addressing none
 * can be taken out of its place. */
void eown__ledger_tidy(eown__ledger *ledger, uint64_t bucket) {
  eown__ledger kept;
  if (ledger->bucket == bucket || !eown__ledger_init(&kept, ledger->limit))
    return;
  kept.bucket = bucket;
  for (size_t i = 0; i < ledger->capacity; i++) {
    eown__account *account = &ledger->accounts[i];
    if (account->field == NULL)
      continue;
    if (is_open(account, bucket)) {
      *place_of(&kept, account->field, account->length) = *account;
      kept.count++;
    } else {
      free(account->field);
    }
  }
  free(ledger->accounts);
  *ledger = kept;
}
