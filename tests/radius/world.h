/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_RADIUS_WORLD_H
#define EOWN_TESTS_RADIUS_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define WORLD_MAX 5u

/* A small call graph without cycles: services A, B, ... call later ones. USER
 * calls A. */
typedef struct test_world {
  unsigned services;
  unsigned calls[WORLD_MAX][WORLD_MAX]; /* per request of the caller; 0: none */
} test_world;

/* How its services are configured. */
typedef struct test_setup {
  unsigned attempts;
  double budget;
  bool eown[WORLD_MAX];
  bool no_retry[WORLD_MAX][WORLD_MAX];
  bool fail_open[WORLD_MAX][WORLD_MAX];
} test_setup;

/* Number `index` of all graphs of so many services, each edge one call; the
 * last has every edge. Calls by services that A does not reach are left out. */
void test_world_choose(test_world *world, unsigned services, unsigned index);
unsigned test_world_count(unsigned services);

/* Leaves out calls by services that A does not reach. */
void test_world_trim(test_world *world);

/* Writes it as one line of JSON, the edges with their calls in all. */
void test_world_write(const test_world *world, FILE *file);

/* Writes the setup as options. */
void test_setup_write(const test_setup *setup, unsigned services, FILE *file);

/* Pseudo-random numbers that are the same in every run; below `bound`. */
unsigned test_draw(unsigned long long *state, unsigned bound);

/* Draws a setup: each property with a chance of one in `rarity`. */
void test_setup_draw(test_setup *setup, unsigned services, unsigned rarity,
                     unsigned long long *state);

#endif /* EOWN_TESTS_RADIUS_WORLD_H */
