/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "claims.h"

#include "counts.h"

#include <eown/claim.h>
#include <stddef.h>

/* The only entry under the claim's key; NULL where there is none or more than
 * one, and then `*n` says how many. */
static const grpc_metadata *find_claim(const grpc_metadata_array *trailing,
                                       size_t *n) {
  const grpc_metadata *found = NULL;
  *n = 0;
  for (size_t i = 0; i < trailing->count; i++)
    if (grpc_slice_str_cmp(trailing->metadata[i].key, EOWN_CLAIM_KEY) == 0) {
      found = &trailing->metadata[i];
      ++*n;
    }
  return *n == 1 ? found : NULL;
}

static bool says(const grpc_metadata *item, eown_claim claim) {
  return item != NULL &&
         grpc_slice_str_cmp(item->value, eown_claim_name(claim)) == 0;
}

void claims_note_error(claims *claims, const grpc_metadata_array *trailing) {
  size_t n;
  const grpc_metadata *item = find_claim(trailing, &n);
  count(&claims->errors);
  if (n == 0)
    count(&claims->missing);
  else if (says(item, EOWN_CLAIM_CLAIMED))
    count(&claims->claimed);
  else if (says(item, EOWN_CLAIM_UNCLAIMED))
    count(&claims->unclaimed);
  else
    count(&claims->other);
}

static const struct {
  const char *name;
  size_t offset;
} members[] = {
    {"calls", offsetof(claims, calls)},
    {"errors", offsetof(claims, errors)},
    {"claimed", offsetof(claims, claimed)},
    {"unclaimed", offsetof(claims, unclaimed)},
    {"missing", offsetof(claims, missing)},
    {"other", offsetof(claims, other)},
};
#define MEMBERS_N (sizeof members / sizeof members[0])

json_t *claims_json(const claims *claims, const char *name) {
  json_t *object = json_object();
  json_object_set_new(object, "name", json_string(name));
  for (size_t i = 0; i < MEMBERS_N; i++) {
    const _Atomic uint64_t *value =
        (const void *)((const char *)claims + members[i].offset);
    json_object_set_new(object, members[i].name,
                        json_integer((json_int_t)atomic_load(value)));
  }
  return object;
}

void claims_reset(claims *claims) {
  for (size_t i = 0; i < MEMBERS_N; i++) {
    _Atomic uint64_t *value = (void *)((char *)claims + members[i].offset);
    atomic_store(value, 0);
  }
}
