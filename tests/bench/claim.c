/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "claim.h"

#include "outbound.h"

#include <eown/claim.h>
#include <grpc/slice.h>
#include <stdint.h>
#include <string.h>

static void add(claim *claim, const char *key, grpc_slice value) {
  grpc_metadata *entry = &claim->metadata[claim->count++];
  entry->key = grpc_slice_from_static_string(key);
  entry->value = value;
}

/* The bytes that eown's server filter writes for the bench's own error. */
static grpc_slice detail_bytes(bool unclaimed) {
  eown_claim_detail detail = {.reason = unclaimed ? EOWN_REASON_APPLICATION
                                                  : EOWN_REASON_OWN};
  eown_claim_detail_set_owner_path(&detail, OUTBOUND_ROOT_PATH,
                                   strlen(OUTBOUND_ROOT_PATH));
  uint8_t bytes[EOWN_CLAIM_DETAIL_MAX];
  size_t size = eown_claim_detail_encode(&detail, bytes, sizeof bytes);
  return grpc_slice_from_copied_buffer((const char *)bytes, size);
}

void claim_init(claim *claim, const row *row) {
  memset(claim, 0, sizeof *claim);
  if (row->mode != NULL)
    return;
  eown_claim value = row->unclaimed ? EOWN_CLAIM_UNCLAIMED : EOWN_CLAIM_CLAIMED;
  add(claim, EOWN_CLAIM_KEY,
      grpc_slice_from_static_string(eown_claim_name(value)));
  add(claim, EOWN_CLAIM_DETAIL_KEY, detail_bytes(row->unclaimed));
  if (row->unclaimed)
    add(claim, "grpc-retry-pushback-ms", grpc_slice_from_static_string("-1"));
}

void claim_clear(claim *claim) {
  for (size_t i = 0; i < claim->count; i++)
    grpc_slice_unref(claim->metadata[i].value);
}
