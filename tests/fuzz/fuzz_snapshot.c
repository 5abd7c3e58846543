/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A memory file. The first byte says what follows: 'f' a whole file; anything
 * else a body, before which a header that fits is put. What is refused changes
 * nothing; what is accepted is sane, and can be saved and loaded again. */
#include "eown/context.h"
#include "eown/snapshot.h"

#include "fuzz.h"

#include <endian.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

enum { EDGES = 16, HEADER = 32 };

#define HALF_LIFE_MS 1000
#define NOW_MS 5000
#define WALL_MS UINT64_C(1800000000000)

static void check_part(double part, double whole) {
  FUZZ_ASSERT(isfinite(whole) && whole >= 0);
  FUZZ_ASSERT(part >= 0 && part <= whole * (1 + 1e-6) + 1e-6);
}

static void check_entry(void *user, const eown_memory_entry *entry) {
  size_t *count = user;
  ++*count;
  FUZZ_ASSERT(entry->edge.inbound_length <= EOWN_METHOD_MAX);
  FUZZ_ASSERT(entry->edge.outbound_length > 0);
  FUZZ_ASSERT(entry->edge.outbound_length <= EOWN_METHOD_MAX);
  FUZZ_ASSERT(entry->kind < EOWN_EDGE_KIND_N);
  FUZZ_ASSERT(entry->pinned < EOWN_EDGE_KIND_N);
  FUZZ_ASSERT(entry->score >= -EOWN_MEMORY_OPEN_SCORE);
  FUZZ_ASSERT(entry->score <= EOWN_MEMORY_CLOSE_SCORE);
  FUZZ_ASSERT(entry->confidence >= 0.5 && entry->confidence <= 1);
  FUZZ_ASSERT(entry->base_rate > 0 && entry->base_rate <= 1);
  check_part(entry->together, entry->failures);
  check_part(entry->inbounds_failed, entry->inbounds);
  check_part(entry->shared_failed, entry->shared);
}

static size_t check_entries(eown_memory_table *table) {
  size_t count = 0;
  eown_memory_each(table, NOW_MS, check_entry, &count);
  return count;
}

static eown_memory_table *make(void) {
  eown_memory_table *table =
      eown_memory_table_create(EDGES, HALF_LIFE_MS, NULL);
  FUZZ_ASSERT(table);
  return table;
}

static void check_round_trip(eown_memory_table *table) {
  size_t size = 0;
  eown_memory_table *again = make();
  uint8_t *data = eown_snapshot_encode(table, "shop", NOW_MS, WALL_MS, &size);
  FUZZ_ASSERT(data);
  FUZZ_ASSERT(eown_snapshot_decode(again, data, size, "shop", NOW_MS,
                                   WALL_MS) == EOWN_SNAPSHOT_OK);
  check_entries(again);
  free(data);
  eown_memory_table_destroy(again);
}

static void decode(const uint8_t *data, size_t size) {
  eown_memory_table *table = make();
  eown_snapshot_result result =
      eown_snapshot_decode(table, data, size, NULL, NOW_MS, WALL_MS);
  size_t edges = check_entries(table);
  FUZZ_ASSERT(result < EOWN_SNAPSHOT_N);
  FUZZ_ASSERT(result == EOWN_SNAPSHOT_OK || edges == 0);
  if (result == EOWN_SNAPSHOT_OK)
    check_round_trip(table);
  eown_memory_table_destroy(table);
}

static void decode_body(const uint8_t *body, size_t size) {
  static const uint8_t begin[16] = "EOWNMEM\n\1";
  uint64_t length = htole64(size), checksum = htole64(XXH3_64bits(body, size));
  uint8_t *data = malloc(HEADER + size);
  FUZZ_ASSERT(data);
  memcpy(data, begin, 16);
  memcpy(data + 16, &length, 8);
  memcpy(data + 24, &checksum, 8);
  memcpy(data + HEADER, body, size);
  decode(data, HEADER + size);
  free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  if (data[0] == 'f')
    decode(data + 1, size - 1);
  else
    decode_body(data + 1, size - 1);
  return 0;
}
