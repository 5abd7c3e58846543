/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include "lab/base/failure.h"
#include "room.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t hash(uint32_t scope, const char *text, size_t length) {
  return (size_t)XXH3_64bits_withSeed(text, length, scope);
}

static bool same(const radius_name *name, uint32_t scope, const char *text,
                 size_t length) {
  return name->scope == scope && !strncmp(name->text, text, length) &&
         !name->text[length];
}

/* The slot where the name is, or where it belongs. */
static uint32_t *find(const radius_names *names, uint32_t scope,
                      const char *text, size_t length) {
  size_t mask = names->slot_count - 1;
  size_t at = hash(scope, text, length) & mask;
  while (names->slots[at] &&
         !same(&names->items[names->slots[at] - 1], scope, text, length))
    at = (at + 1) & mask;
  return &names->slots[at];
}

static void rehash(radius_names *names) {
  free(names->slots);
  names->slot_count = names->slot_count ? names->slot_count * 2 : 1024;
  names->slots = lab_allocate(names->slot_count, sizeof(*names->slots));
  for (uint32_t i = 0; i < names->count; i++) {
    const radius_name *name = &names->items[i];
    *find(names, name->scope, name->text, strlen(name->text)) = i + 1;
  }
}

uint32_t radius_names_add(radius_names *names, uint32_t scope, const char *text,
                          size_t length) {
  if ((size_t)names->count * 2 >= names->slot_count)
    rehash(names);
  uint32_t *slot = find(names, scope, text, length);
  if (*slot)
    return *slot - 1;
  names->items = radius_room(names->items, names->count, &names->capacity,
                             sizeof(*names->items));
  char *copy = lab_format("%.*s", (int)length, text);
  names->items[names->count] = (radius_name){scope, copy};
  *slot = ++names->count;
  return *slot - 1;
}

void radius_names_clear(radius_names *names) {
  for (uint32_t i = 0; i < names->count; i++)
    free(names->items[i].text);
  free(names->items);
  free(names->slots);
  *names = (radius_names){0};
}
