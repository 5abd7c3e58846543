/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_ROOM_H
#define EOWN_LAB_RADIUS_ROOM_H

#include <stddef.h>
#include <stdint.h>

/* Returns `items`, moved where it has to grow, with room for one item after
 * `count`. Ends the program where memory is out. */
void *radius_room(void *items, uint32_t count, uint32_t *capacity, size_t size);

/* The same for room for `needed` items in all; what was added is not zeroed. */
void *radius_room_for(void *items, uint32_t needed, uint32_t *capacity,
                      size_t size);

#endif /* EOWN_LAB_RADIUS_ROOM_H */
