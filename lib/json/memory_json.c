/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/memory_json.h"

#include "eown/context.h"

#include <jansson.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the edges, in order ---------------------------------------------------
 */

/* One edge with its names, which the entry's own edge does not point to. */
typedef struct item {
  eown_memory_entry entry;
  char inbound[EOWN_METHOD_MAX];
  char outbound[EOWN_METHOD_MAX];
} item;

typedef struct items {
  item *list;
  size_t count;
  size_t capacity;
  bool failed;
} items;

static bool grow(items *all) {
  if (all->count < all->capacity)
    return true;
  size_t capacity = all->capacity == 0 ? 64 : 2 * all->capacity;
  item *list = realloc(all->list, capacity * sizeof(*list));
  if (list == NULL)
    return false;
  all->list = list;
  all->capacity = capacity;
  return true;
}

static void take(void *user, const eown_memory_entry *entry) {
  items *all = user;
  if (all->failed || !grow(all)) {
    all->failed = true;
    return;
  }
  item *made = &all->list[all->count++];
  made->entry = *entry;
  memcpy(made->inbound, entry->edge.inbound, entry->edge.inbound_length);
  memcpy(made->outbound, entry->edge.outbound, entry->edge.outbound_length);
}

static int order(const char *a, size_t a_length, const char *b,
                 size_t b_length) {
  int first = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return first != 0 ? first : (a_length > b_length) - (a_length < b_length);
}

static int by_edge(const void *left, const void *right) {
  const item *a = left;
  const item *b = right;
  int inbound = order(a->inbound, a->entry.edge.inbound_length, b->inbound,
                      b->entry.edge.inbound_length);
  return inbound != 0 ? inbound
                      : order(a->outbound, a->entry.edge.outbound_length,
                              b->outbound, b->entry.edge.outbound_length);
}

/* --- as JSON ---------------------------------------------------------------
 */

static json_t *encoded(const char *name, size_t length) {
  char text[3 * EOWN_METHOD_MAX + 1];
  size_t put = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)name[i];
    if (byte > ' ' && byte <= '~')
      text[put++] = (char)byte;
    else
      put += (size_t)snprintf(text + put, 4, "%%%02X", byte);
  }
  return json_stringn(text, put);
}

/* A gRPC path may hold any byte; jansson refuses what is not UTF-8. */
static json_t *name_of(const char *name, size_t length) {
  json_t *plain = json_stringn(name, length);
  return plain != NULL ? plain : encoded(name, length);
}

static json_t *kind_of(eown_edge_kind kind) {
  static const char *const names[EOWN_EDGE_KIND_N] = {
      [EOWN_EDGE_UNKNOWN] = "unknown",
      [EOWN_EDGE_FAIL_CLOSE] = "fail-close",
      [EOWN_EDGE_FAIL_OPEN] = "fail-open",
  };
  return json_string(names[kind]);
}

static json_t *object_of(const item *of) {
  const eown_memory_entry *entry = &of->entry;
  json_t *pin =
      entry->pinned == EOWN_EDGE_UNKNOWN ? json_null() : kind_of(entry->pinned);
  return json_pack(
      "{s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:o, s:I}", "inbound",
      name_of(of->inbound, entry->edge.inbound_length), "outbound",
      name_of(of->outbound, entry->edge.outbound_length), "verdict",
      kind_of(entry->kind), "confidence", entry->confidence, "score",
      entry->score, "failures", entry->failures, "together", entry->together,
      "base_rate", entry->base_rate, "pin", pin, "age_ms",
      (json_int_t)entry->age_ms);
}

/* NULL when out of memory. */
static json_t *array_of(const items *all) {
  json_t *array = json_array();
  for (size_t i = 0; array != NULL && i < all->count; i++) {
    if (json_array_append_new(array, object_of(&all->list[i])) == 0)
      continue;
    json_decref(array);
    return NULL;
  }
  return array;
}

static char *text_of(items *all) {
  if (all->count > 0)
    qsort(all->list, all->count, sizeof(*all->list), by_edge);
  json_t *object = json_pack("{s:o}", "edges", array_of(all));
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  json_decref(object);
  return text;
}

char *eown_memory_json(eown_memory_table *table, uint64_t now_ms) {
  items all = {0};
  eown_memory_each(table, now_ms, take, &all);
  char *text = all.failed ? NULL : text_of(&all);
  free(all.list);
  return text;
}
