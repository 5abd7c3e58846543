/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The format of a memory file: there and back, cut, changed, made up. */
#include "counted.h"
#include "eown/snapshot.h"
#include "support.h"

#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS
#define WALL UINT64_C(1800000000000)

static eown_memory_table *make(void) {
  return eown_memory_table_create(64, DAY, NULL);
}

/* A table with an edge of each kind, encoded; the caller frees it. */
static uint8_t *encode(size_t *size) {
  eown_memory_table *table = make();
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, false, 60, 1);
  edge = counted_edge(&name, 1, 2);
  counted_fails(table, &edge, true, 60, 1);
  edge = counted_edge(&name, 2, 3);
  counted_fails(table, &edge, true, 1, 1);
  uint8_t *data = eown_snapshot_encode(table, "shop", 1, WALL, size);
  eown_memory_table_destroy(table);
  return data;
}

static eown_snapshot_result decode(const uint8_t *data, size_t size,
                                   size_t *edges) {
  eown_memory_table *table = make();
  /* Exactly so much memory: what reads beyond it is found. */
  uint8_t *exact = malloc(size > 0 ? size : 1);
  memcpy(exact, data, size);
  eown_snapshot_result result =
      eown_snapshot_decode(table, exact, size, "shop", 1, WALL);
  *edges = counted_edges(table);
  free(exact);
  eown_memory_table_destroy(table);
  return result;
}

EOWN_TEST(Snapshot, ThereAndBack) {
  size_t size;
  uint8_t *data = encode(&size);
  eown_memory_table *table = make();
  CHECK_EQ(EOWN_SNAPSHOT_OK,
           eown_snapshot_decode(table, data, size, "shop", 7, WALL + 1000));
  CHECK_EQ(3, counted_edges(table));
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 7));
  edge = counted_edge(&name, 1, 2);
  CHECK_EQ(EOWN_EDGE_FAIL_CLOSE, counted_kind(table, &edge, 7));
  edge = counted_edge(&name, 2, 3);
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &edge, 7));
  free(data);
  eown_memory_table_destroy(table);
}

EOWN_TEST(Snapshot, TheTimeAwayCounts) {
  size_t size;
  uint8_t *data = encode(&size);
  eown_memory_table *table = make();
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  CHECK_EQ(EOWN_SNAPSHOT_OK,
           eown_snapshot_decode(table, data, size, NULL, 7, WALL + 3 * DAY));
  CHECK_EQ(EOWN_EDGE_UNKNOWN, counted_kind(table, &edge, 7));
  free(data);
  eown_memory_table_destroy(table);
}

EOWN_TEST(Snapshot, CutAtEveryByte) {
  size_t size, edges;
  uint8_t *data = encode(&size);
  for (size_t length = 0; length < size; length++) {
    TEST_TRACE("cut after %zu bytes", length);
    CHECK_EQ(EOWN_SNAPSHOT_TRUNCATED, decode(data, length, &edges));
    CHECK_EQ(0, edges);
  }
  CHECK_EQ(EOWN_SNAPSHOT_OK, decode(data, size, &edges));
  free(data);
}

EOWN_TEST(Snapshot, EveryBitOfEveryByteMatters) {
  size_t size, edges;
  uint8_t *data = encode(&size);
  for (size_t i = 0; i < size * 8; i++) {
    TEST_TRACE("bit %zu of byte %zu", i % 8, i / 8);
    data[i / 8] ^= (uint8_t)(1u << i % 8);
    CHECK_NE(EOWN_SNAPSHOT_OK, decode(data, size, &edges));
    CHECK_EQ(0, edges);
    data[i / 8] ^= (uint8_t)(1u << i % 8);
  }
  CHECK_EQ(EOWN_SNAPSHOT_OK, decode(data, size, &edges));
  free(data);
}

EOWN_TEST(Snapshot, SaysWhatIsWrong) {
  size_t size, edges;
  uint8_t *data = encode(&size);
  data[8] = 2;
  CHECK_EQ(EOWN_SNAPSHOT_NEWER, decode(data, size, &edges));
  data[8] = 1;
  CHECK_EQ(EOWN_SNAPSHOT_FOREIGN,
           decode((const uint8_t *)"root:x:0:0:root", 15, &edges));
  CHECK_EQ(EOWN_SNAPSHOT_FOREIGN, decode((const uint8_t *)"x", 1, &edges));
  data[size - 1] ^= 1;
  CHECK_EQ(EOWN_SNAPSHOT_CORRUPT, decode(data, size, &edges));
  data[size - 1] ^= 1;
  eown_memory_table *table = make();
  CHECK_EQ(EOWN_SNAPSHOT_OTHER_SERVICE,
           eown_snapshot_decode(table, data, size, "cart", 1, WALL));
  CHECK_EQ(0, counted_edges(table));
  eown_memory_table_destroy(table);
  free(data);
}

EOWN_TEST(Snapshot, EveryResultHasAText) {
  for (int i = 0; i < EOWN_SNAPSHOT_N; i++)
    CHECK_LT(3, strlen(eown_snapshot_text((eown_snapshot_result)i)));
  CHECK_STREQ("unknown", eown_snapshot_text(EOWN_SNAPSHOT_N));
}

/* Noise behind a good beginning, with all lengths and checksums wrong. */
EOWN_TEST(Snapshot, Noise) {
  test_random random = {11};
  uint8_t noise[512];
  size_t edges;
  for (int round = 0; round < 20000; round++) {
    size_t size = test_random_below(&random, sizeof noise);
    for (size_t i = 0; i < size; i++)
      noise[i] = (uint8_t)test_random_next(&random);
    if (round % 2 == 0 && size > 16)
      memcpy(noise, "EOWNMEM\n\1\0\0\0\0\0\0\0", 16);
    CHECK_NE(EOWN_SNAPSHOT_OK, decode(noise, size, &edges));
    CHECK_EQ(0, edges);
  }
}
