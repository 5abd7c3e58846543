/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789ABCDEF";

static bool is_plain(char c, const char * not ) {
  return c > ' ' && c <= '~' && strchr(not, c) == NULL;
}

static size_t encode(const char *name, size_t length, const char * not,
                     char *to) {
  size_t put = 0;
  for (size_t i = 0; i < length; i++) {
    if (is_plain(name[i], not )) {
      to[put++] = name[i];
      continue;
    }
    to[put++] = '%';
    to[put++] = digits[(unsigned char)name[i] >> 4];
    to[put++] = digits[(unsigned char)name[i] & 15];
  }
  return put;
}

static size_t cut(size_t length) {
  return length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
}

size_t eown__field_write(const eown_edge *edge, char field[EOWN__FIELD_MAX]) {
  size_t put = encode(edge->inbound, cut(edge->inbound_length), "%", field);
  field[put++] = ' ';
  return put +
         encode(edge->outbound, cut(edge->outbound_length), "%", field + put);
}

static int digit(char c) {
  const char *found = c == '\0' ? NULL : strchr(digits, c);
  return found == NULL ? -1 : (int)(found - digits);
}

/* Returns the length of the name, or -1. */
static int decode(const char *text, size_t length, char name[EOWN_METHOD_MAX]) {
  int put = 0;
  for (size_t i = 0; i < length; i++) {
    if (put == EOWN_METHOD_MAX)
      return -1;
    char c = text[i];
    if (c == '%') {
      int high = i + 2 < length ? digit(text[i + 1]) : -1;
      int low = high >= 0 ? digit(text[i + 2]) : -1;
      if (low < 0)
        return -1;
      c = (char)(high << 4 | low);
      i += 2;
    }
    name[put++] = c;
  }
  return put;
}

bool eown__field_read(const char *field, size_t length,
                      eown__field_names *names, eown_edge *edge) {
  const char *space = memchr(field, ' ', length);
  if (space == NULL)
    return false;
  size_t left = (size_t)(space - field);
  int inbound = decode(field, left, names->inbound);
  int outbound = decode(space + 1, length - left - 1, names->outbound);
  if (inbound < 0 || outbound < 0)
    return false;
  *edge = (eown_edge){names->inbound, (size_t)inbound, names->outbound,
                      (size_t)outbound};
  return true;
}

static uint64_t at_most(uint64_t value, uint64_t most) {
  return value < most ? value : most;
}

int64_t eown__counts_pack(uint64_t count, uint64_t together) {
  uint64_t whole = at_most(count, INT32_MAX);
  return (int64_t)(whole << 32 | at_most(together, whole));
}

uint64_t eown__counts_of(int64_t value) { return (uint64_t)value >> 32; }

uint64_t eown__together_of(int64_t value) {
  return (uint64_t)value & UINT32_MAX;
}

bool eown__counts_grew(int64_t old, int64_t sum) {
  return eown__counts_of(sum) >= eown__counts_of(old) &&
         eown__together_of(sum) >= eown__together_of(old);
}

bool eown__counts_read(const char *text, size_t length, int64_t *value) {
  uint64_t number = 0;
  if (length == 0 || length > 19)
    return false;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    number = number * 10 + (uint64_t)(text[i] - '0');
  }
  *value = (int64_t)number;
  return number <= INT64_MAX &&
         eown__together_of(*value) <= eown__counts_of(*value);
}

void eown__key_write(const char *service, uint64_t bucket, char *key,
                     size_t size) {
  char name[3 * EOWN_OWNER_MAX + 1];
  size_t length = strlen(service);
  name[encode(service, length < EOWN_OWNER_MAX ? length : EOWN_OWNER_MAX,
              "%{}:", name)] = '\0';
  snprintf(key, size, "eown:{%s}:1:%" PRIu64, name[0] == '\0' ? "%" : name,
           bucket);
}
