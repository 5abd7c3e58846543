/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_NAMES_H
#define EOWN_LAB_RADIUS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define RADIUS_NONE UINT32_MAX

/* A name within a scope. */
typedef struct radius_name {
  uint32_t scope; /* the input's service it belongs to; RADIUS_NONE: none */
  char *text;     /* owned */
} radius_name;

/* A set of names, each with a number from 0 in the order of arrival. Zero it
 * before use. */
typedef struct radius_names {
  radius_name *items;
  uint32_t count;
  uint32_t capacity;
  uint32_t *slots; /* number + 1, or 0; open addressing */
  size_t slot_count;
} radius_names;

/* Returns the number of `text` of `length` bytes in `scope`, a new one where it
 * was not there. */
uint32_t radius_names_add(radius_names *names, uint32_t scope, const char *text,
                          size_t length);

void radius_names_clear(radius_names *names);

#endif /* EOWN_LAB_RADIUS_NAMES_H */
