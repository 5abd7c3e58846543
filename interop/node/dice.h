/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_DICE_H
#define NODE_DICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Decides which calls a node fails by itself: the same calls for the same
 * seed, name and order of arrival. Lock-free. */
typedef struct dice {
  uint64_t seed;
  double rate;
  uint64_t healthy_first;
  _Atomic uint64_t thrown;
} dice;

/* `name` is mixed into the seed, so that nodes do not fail in step. */
void dice_init(dice *dice, uint64_t seed, const char *name, double rate,
               uint64_t healthy_first);

/* Throws once: must this call fail? */
bool dice_throw(dice *dice);

#endif /* NODE_DICE_H */
