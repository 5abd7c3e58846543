/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/snapshot.h"

#include "eown/context.h"
#include "eown/v1/memory.pb-c.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What stands before the body; numbers are little-endian. */
typedef struct header {
  char magic[8];
  uint32_t version;
  uint32_t zeros;
  uint64_t length;
  uint64_t checksum;
} header;

static const char magic[8] = {'E', 'O', 'W', 'N', 'M', 'E', 'M', '\n'};
#define VERSION 1u
/* Counts beyond this are none: one more does not change them. */
#define COUNT_MAX 0x1p53

const char *eown_snapshot_text(eown_snapshot_result result) {
  static const char *const texts[EOWN_SNAPSHOT_N] = {
#define EOWN_SNAPSHOT_TEXT(name, text) [EOWN_SNAPSHOT_##name] = text,
      EOWN_SNAPSHOT_LIST(EOWN_SNAPSHOT_TEXT)
#undef EOWN_SNAPSHOT_TEXT
  };
  return (unsigned)result < EOWN_SNAPSHOT_N ? texts[result] : "unknown";
}

/* --- encoding --------------------------------------------------------------
 */

/* An edge with its names behind it, in a list that grows. */
typedef struct item {
  Eown__V1__MemoryEdge edge;
  uint8_t names[2 * EOWN_METHOD_MAX];
} item;

typedef struct items {
  Eown__V1__MemoryEdge **edges;
  size_t count;
  size_t capacity;
  bool failed;
} items;

static bool grow(items *list) {
  if (list->count < list->capacity)
    return true;
  size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
  Eown__V1__MemoryEdge **edges =
      realloc(list->edges, capacity * sizeof(*edges));
  if (edges == NULL)
    return false;
  list->edges = edges;
  list->capacity = capacity;
  return true;
}

static void fill(item *to, const eown_memory_entry *entry) {
  Eown__V1__MemoryEdge *edge = &to->edge;
  eown__v1__memory_edge__init(edge);
  memcpy(to->names, entry->edge.inbound, entry->edge.inbound_length);
  edge->inbound.data = to->names;
  edge->inbound.len = entry->edge.inbound_length;
  edge->outbound.data = to->names + edge->inbound.len;
  edge->outbound.len = entry->edge.outbound_length;
  memcpy(edge->outbound.data, entry->edge.outbound, edge->outbound.len);
  edge->kind = (Eown__V1__MemoryEdge__Kind)entry->kind;
  edge->pinned = (Eown__V1__MemoryEdge__Kind)entry->pinned;
  edge->score = entry->score;
  edge->failures = fmin(entry->failures, COUNT_MAX);
  edge->together = fmin(entry->together, COUNT_MAX);
  edge->age_ms = entry->age_ms;
  edge->inbounds = fmin(entry->inbounds, COUNT_MAX);
  edge->inbounds_failed = fmin(entry->inbounds_failed, COUNT_MAX);
  edge->shared = fmin(entry->shared, COUNT_MAX);
  edge->shared_failed = fmin(entry->shared_failed, COUNT_MAX);
}

static void take(void *user, const eown_memory_entry *entry) {
  items *list = user;
  item *made = list->failed ? NULL : malloc(sizeof(*made));
  if (made == NULL || !grow(list)) {
    free(made);
    list->failed = true;
    return;
  }
  fill(made, entry);
  list->edges[list->count++] = &made->edge;
}

static void clear(items *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->edges[i]);
  free(list->edges);
}

static uint8_t *pack(const Eown__V1__MemorySnapshot *body, size_t *size) {
  size_t length = eown__v1__memory_snapshot__get_packed_size(body);
  uint8_t *data = malloc(sizeof(header) + length);
  if (data == NULL)
    return NULL;
  eown__v1__memory_snapshot__pack(body, data + sizeof(header));
  header head = {
      .version = htole32(VERSION),
      .length = htole64(length),
      .checksum = htole64(XXH3_64bits(data + sizeof(header), length)),
  };
  memcpy(head.magic, magic, sizeof(magic));
  memcpy(data, &head, sizeof(head));
  *size = sizeof(header) + length;
  return data;
}

uint8_t *eown_snapshot_encode(eown_memory_table *table, const char *service,
                              uint64_t now_ms, uint64_t wall_ms, size_t *size) {
  items list = {0};
  eown_memory_each(table, now_ms, take, &list);
  Eown__V1__MemorySnapshot body = EOWN__V1__MEMORY_SNAPSHOT__INIT;
  body.service = (char *)(uintptr_t)service; /* is only read */
  body.saved_ms = wall_ms;
  body.edges = list.edges;
  body.n_edges = list.count;
  uint8_t *data = list.failed ? NULL : pack(&body, size);
  clear(&list);
  return data;
}

/* --- decoding --------------------------------------------------------------
 */

static eown_snapshot_result check_header(const uint8_t *data, size_t size) {
  header head;
  size_t compared = size < sizeof(magic) ? size : sizeof(magic);
  if (size > 0 && memcmp(data, magic, compared) != 0)
    return EOWN_SNAPSHOT_FOREIGN;
  if (size < sizeof(head))
    return EOWN_SNAPSHOT_TRUNCATED;
  memcpy(&head, data, sizeof(head));
  if (le32toh(head.version) != VERSION)
    return le32toh(head.version) > VERSION ? EOWN_SNAPSHOT_NEWER
                                           : EOWN_SNAPSHOT_CORRUPT;
  if (le64toh(head.length) > size - sizeof(head))
    return EOWN_SNAPSHOT_TRUNCATED;
  if (head.zeros != 0 || le64toh(head.length) != size - sizeof(head) ||
      le64toh(head.checksum) !=
          XXH3_64bits(data + sizeof(head), size - sizeof(head)))
    return EOWN_SNAPSHOT_CORRUPT;
  return EOWN_SNAPSHOT_OK;
}

static bool is_count(double part, double whole) {
  return part >= 0 && part <= whole * (1 + 1e-9) + 1e-9 && whole >= 0 &&
         whole <= COUNT_MAX;
}

static bool is_name(const ProtobufCBinaryData *name, size_t least) {
  return name->len >= least && name->len <= EOWN_METHOD_MAX;
}

static bool is_good(const Eown__V1__MemoryEdge *edge) {
  return is_name(&edge->inbound, 0) && is_name(&edge->outbound, 1) &&
         (unsigned)edge->kind < EOWN_EDGE_KIND_N && isfinite(edge->score) &&
         is_count(edge->together, edge->failures) &&
         is_count(edge->inbounds_failed, edge->inbounds) &&
         is_count(edge->shared_failed, edge->shared);
}

static eown_snapshot_result check(const Eown__V1__MemorySnapshot *body,
                                  const char *service) {
  for (size_t i = 0; i < body->n_edges; i++) {
    if (!is_good(body->edges[i]))
      return EOWN_SNAPSHOT_CORRUPT;
  }
  return service != NULL && strcmp(service, body->service) != 0
             ? EOWN_SNAPSHOT_OTHER_SERVICE
             : EOWN_SNAPSHOT_OK;
}

static const char *text_of(const ProtobufCBinaryData *name) {
  return name->len == 0 ? "" : (const char *)name->data;
}

static eown_memory_entry entry_of(const Eown__V1__MemoryEdge *edge) {
  eown_memory_entry entry = {
      .edge = {text_of(&edge->inbound), edge->inbound.len,
               text_of(&edge->outbound), edge->outbound.len},
      .kind = (eown_edge_kind)edge->kind,
      .pinned = (eown_edge_kind)((unsigned)edge->pinned < EOWN_EDGE_KIND_N
                                     ? (unsigned)edge->pinned
                                     : 0),
      .score = edge->score,
      .failures = edge->failures,
      .together = edge->together,
      .age_ms = edge->age_ms,
      .inbounds = edge->inbounds,
      .inbounds_failed = edge->inbounds_failed,
      .shared = edge->shared,
      .shared_failed = edge->shared_failed,
  };
  return entry;
}

static void restore(eown_memory_table *table,
                    const Eown__V1__MemorySnapshot *body, uint64_t now_ms,
                    uint64_t wall_ms) {
  uint64_t away =
      wall_ms > body->saved_ms ? wall_ms - body->saved_ms : (uint64_t)0;
  for (size_t i = 0; i < body->n_edges; i++) {
    eown_memory_entry entry = entry_of(body->edges[i]);
    eown_memory_restore(table, &entry, away, now_ms);
  }
}

eown_snapshot_result eown_snapshot_decode(eown_memory_table *table,
                                          const uint8_t *data, size_t size,
                                          const char *service, uint64_t now_ms,
                                          uint64_t wall_ms) {
  eown_snapshot_result result = check_header(data, size);
  if (result != EOWN_SNAPSHOT_OK)
    return result;
  Eown__V1__MemorySnapshot *body = eown__v1__memory_snapshot__unpack(
      NULL, size - sizeof(header), data + sizeof(header));
  if (body == NULL)
    return EOWN_SNAPSHOT_CORRUPT;
  result = check(body, service);
  if (result == EOWN_SNAPSHOT_OK)
    restore(table, body, now_ms, wall_ms);
  eown__v1__memory_snapshot__free_unpacked(body, NULL);
  return result;
}
