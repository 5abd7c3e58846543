/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "dice.h"

/* SplitMix64 (Steele, Lea, Flood 2014): output number n of a seed. */
static uint64_t split_mix(uint64_t seed, uint64_t n) {
  uint64_t z = seed + (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void dice_init(dice *dice, uint64_t seed, const char *name, double rate,
               uint64_t healthy_first) {
  dice->seed = seed;
  for (const char *c = name; *c != '\0'; c++)
    dice->seed = split_mix(dice->seed, (unsigned char)*c);
  dice->rate = rate;
  dice->healthy_first = healthy_first;
  atomic_init(&dice->thrown, 0);
}

bool dice_throw(dice *dice) {
  uint64_t n =
      atomic_fetch_add_explicit(&dice->thrown, 1, memory_order_relaxed);
  double unit = (double)(split_mix(dice->seed, n) >> 11) * 0x1p-53;
  return n >= dice->healthy_first && unit < dice->rate;
}
