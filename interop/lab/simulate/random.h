/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RANDOM_H
#define EOWN_LAB_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Random numbers, the same for the same seed on every machine.
 * Source: Blackman and Vigna, xoshiro256++ and splitmix64 (public domain). */
typedef struct lab_random {
  uint64_t state[4];
} lab_random;

/* A hash of `x` in which every bit counts. */
static inline uint64_t lab_random_mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Seeds the numbers; `stream` tells apart those of one seed. */
static inline void lab_random_seed(lab_random *random, uint64_t seed,
                                   uint64_t stream) {
  uint64_t x = lab_random_mix(seed) ^ lab_random_mix(~stream);
  for (int i = 0; i < 4; i++)
    random->state[i] = lab_random_mix(x + (uint64_t)i * 0x9e3779b97f4a7c15u);
}

static inline uint64_t lab_random_rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

static inline uint64_t lab_random_next(lab_random *random) {
  uint64_t *s = random->state;
  uint64_t result = lab_random_rotate(s[0] + s[3], 23) + s[0];
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = lab_random_rotate(s[3], 45);
  return result;
}

/* A number below `bound`, which is not 0. */
static inline uint32_t lab_random_below(lab_random *random, uint32_t bound) {
  return (uint32_t)((lab_random_next(random) >> 32) * bound >> 32);
}

/* A chance in parts of 2^32; all but one of them are certainty. */
typedef uint32_t lab_chance;

#define LAB_CERTAIN UINT32_MAX

/* `rate` is from 0 to 1. */
static inline lab_chance lab_chance_of(double rate) {
  return (lab_chance)(rate * LAB_CERTAIN + 0.5);
}

/* Whether 32 random bits fall within the chance. */
static inline bool lab_chance_holds(lab_chance chance, uint64_t bits) {
  return chance == LAB_CERTAIN || (uint32_t)bits < chance;
}

/* Throws the dice, unless the result is certain. */
static inline bool lab_random_chance(lab_random *random, lab_chance chance) {
  if (chance == 0 || chance == LAB_CERTAIN)
    return chance != 0;
  return lab_chance_holds(chance, lab_random_next(random) >> 32);
}

/* A number from 0 to below 1. */
static inline double lab_random_unit(lab_random *random) {
  return (double)(lab_random_next(random) >> 11) * 0x1p-53;
}

#endif /* EOWN_LAB_RANDOM_H */
