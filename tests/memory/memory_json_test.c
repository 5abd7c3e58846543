/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A table as JSON, read back by another parser's eyes: members, order, names
 * that are no UTF-8. */
#include "counted.h"
#include "eown/context.h"
#include "eown/memory_json.h"

#include "gtest_c.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS

static eown_memory_table *make(void) {
  return eown_memory_table_create(1024, DAY, NULL);
}

/* The table's edges, parsed; the caller owns the array. */
static json_t *edges_of(eown_memory_table *table, uint64_t now_ms) {
  char *text = eown_memory_json(table, now_ms);
  CHECK_NOT_NULL(text);
  CHECK_NULL(strchr(text, '\n'));
  json_t *object =
      json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
  json_t *edges = json_incref(json_object_get(object, "edges"));
  CHECK_TRUE(json_is_array(edges));
  CHECK_EQ(1, json_object_size(object));
  json_decref(object);
  free(text);
  return edges;
}

static const char *text_of(const json_t *edge, const char *key) {
  return json_string_value(json_object_get(edge, key));
}

static void check_number(const json_t *edge, const char *key, double value) {
  TEST_TRACE("%s", key);
  const json_t *member = json_object_get(edge, key);
  CHECK_TRUE(json_is_number(member));
  CHECK_NEAR(value, json_number_value(member),
             1e-6 * (1 + (value < 0 ? -value : value)));
}

EOWN_TEST(MemoryJson, AnEmptyTable) {
  eown_memory_table *table = make();
  char *text = eown_memory_json(table, 1);
  CHECK_STREQ("{\"edges\":[]}", text);
  free(text);
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryJson, SaysWhatTheEntrySays) {
  counted_name name;
  eown_memory_entry entry;
  eown_memory_table *table = make();
  eown_edge edge = counted_edge(&name, 1, 2);
  counted_fails(table, &edge, true, 3, 1000);
  counted_fails(table, &edge, false, 60, 1000);
  uint64_t now = 1000 + DAY / 8;
  CHECK_TRUE(counted_find(table, &edge, now, &entry));
  json_t *edges = edges_of(table, now);
  CHECK_EQ(1, json_array_size(edges));
  const json_t *one = json_array_get(edges, 0);
  CHECK_EQ(10, json_object_size(one));
  CHECK_STREQ("/in.S/M1", text_of(one, "inbound"));
  CHECK_STREQ("/out.S/M2", text_of(one, "outbound"));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, entry.kind);
  CHECK_STREQ("fail-open", text_of(one, "verdict"));
  CHECK_TRUE(json_is_null(json_object_get(one, "pin")));
  check_number(one, "confidence", entry.confidence);
  check_number(one, "score", entry.score);
  check_number(one, "failures", entry.failures);
  check_number(one, "together", entry.together);
  check_number(one, "base_rate", entry.base_rate);
  check_number(one, "age_ms", (double)entry.age_ms);
  json_decref(edges);
  eown_memory_table_destroy(table);
}

static void fail_pinned(eown_memory_table *table, const eown_edge *edge,
                        eown_edge_kind pinned) {
  eown_edge_end one = {.edge = *edge, .failed = true, .pinned = pinned};
  eown_inbound_end end = {.inbound = edge->inbound,
                          .inbound_length = edge->inbound_length,
                          .failed = true,
                          .edge_count = 1,
                          .edges = &one};
  eown_memory memory = eown_memory_table_view(table);
  memory.learn(memory.self, &end, 1000);
}

EOWN_TEST(MemoryJson, VerdictsAndPins) {
  counted_name name;
  eown_memory_table *table = make();
  eown_edge edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, true, 60, 1000);
  edge = counted_edge(&name, 1, 2);
  fail_pinned(table, &edge, EOWN_EDGE_FAIL_OPEN);
  edge = counted_edge(&name, 1, 3);
  fail_pinned(table, &edge, EOWN_EDGE_FAIL_CLOSE);
  json_t *edges = edges_of(table, 1000);
  CHECK_EQ(3, json_array_size(edges));
  CHECK_STREQ("fail-close", text_of(json_array_get(edges, 0), "verdict"));
  CHECK_STREQ("unknown", text_of(json_array_get(edges, 1), "verdict"));
  CHECK_STREQ("fail-open", text_of(json_array_get(edges, 1), "pin"));
  CHECK_STREQ("fail-close", text_of(json_array_get(edges, 2), "pin"));
  json_decref(edges);
  eown_memory_table_destroy(table);
}

/* More edges than fit at first, entered backwards. */
EOWN_TEST(MemoryJson, InOrder) {
  enum { INBOUNDS = 9, OUTBOUNDS = 30 };
  counted_name name;
  eown_memory_table *table = make();
  for (unsigned i = INBOUNDS; i-- > 0;)
    for (unsigned o = OUTBOUNDS; o-- > 0;) {
      eown_edge edge = counted_edge(&name, i, o);
      counted_fail(table, &edge, false, 1000);
    }
  json_t *edges = edges_of(table, 1000);
  CHECK_EQ(INBOUNDS * OUTBOUNDS, json_array_size(edges));
  for (size_t i = 1; i < json_array_size(edges); i++) {
    const json_t *before = json_array_get(edges, i - 1);
    const json_t *after = json_array_get(edges, i);
    int inbound = strcmp(text_of(before, "inbound"), text_of(after, "inbound"));
    int outbound =
        strcmp(text_of(before, "outbound"), text_of(after, "outbound"));
    CHECK_TRUE(inbound < 0 || (inbound == 0 && outbound < 0));
  }
  json_decref(edges);
  eown_memory_table_destroy(table);
}

EOWN_TEST(MemoryJson, Names) {
  char longest[EOWN_METHOD_MAX];
  memset(longest, '\xff', sizeof longest);
  static const struct {
    const char *name;
    size_t length;
    const char *written;
  } rows[] = {
      {"", 0, ""},
      {"/a.\"B\"/C\\d\n", 11, "/a.\"B\"/C\\d\n"},
      {"/caf\xc3\xa9/100%", 11, "/caf\xc3\xa9/100%"},
      {"/\xff x%", 5, "/%FF%20x%"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_TRACE("row %zu", i);
    eown_memory_table *table = make();
    eown_edge edge = {rows[i].name, rows[i].length, longest, sizeof longest};
    counted_fail(table, &edge, false, 1000);
    json_t *edges = edges_of(table, 1000);
    const json_t *one = json_array_get(edges, 0);
    CHECK_STREQ(rows[i].written, text_of(one, "inbound"));
    const char *outbound = text_of(one, "outbound");
    CHECK_EQ(3 * sizeof longest, strlen(outbound));
    CHECK_EQ(3 * sizeof longest, strspn(outbound, "%F"));
    json_decref(edges);
    eown_memory_table_destroy(table);
  }
}
