/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "room.h"

#include "lab/base/failure.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64u

void *radius_room_for(void *items, uint32_t needed, uint32_t *capacity,
                      size_t size) {
  if (needed <= *capacity && items)
    return items;
  uint32_t grown = *capacity ? *capacity : FIRST_CAPACITY;
  while (grown < needed) {
    if (grown > UINT32_MAX / 2)
      lab_fail("out of memory");
    grown *= 2;
  }
  void *moved = realloc(items, grown * size);
  if (!moved)
    lab_fail("out of memory");
  *capacity = grown;
  return moved;
}

void *radius_room(void *items, uint32_t count, uint32_t *capacity,
                  size_t size) {
  return radius_room_for(items, count + 1, capacity, size);
}
