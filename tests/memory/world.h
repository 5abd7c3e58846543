/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_WORLD_H
#define EOWN_TESTS_MEMORY_WORLD_H

#include "eown/memory_table.h"

#include "support.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORLD_EDGES 8
#define WORLD_INBOUND "/front.Shop/Buy"

/* An edge as it truly is. */
typedef struct world_edge {
  double rate;     /* at which it fails */
  double power;    /* share of its failures that make the inbound fail */
  bool with_first; /* fails when the first edge fails, and only then */
} world_edge;

/* A service whose inbound calls are played through a memory table: what it is
 * told is what the inbound context tells it. */
typedef struct world {
  eown_memory_table *table;
  test_random random;
  double own; /* rate of the inbound's own errors */
  size_t edge_count;
  world_edge edges[WORLD_EDGES];
  uint64_t now_ms;
  uint64_t step_ms; /* between inbounds */
} world;

/* Begins with a new table. */
void world_init(world *world, uint64_t seed);
void world_clear(world *world);

/* Adds an edge; named by its place. */
void world_add(world *world, double rate, double power);

/* One inbound call. Returns whether the first edge failed in it. */
bool world_step(world *world);

/* Steps until the first edge has failed; at most a hundred million times. */
void world_until_failure(world *world);

/* The verdict on an edge. */
eown_edge_kind world_kind(const world *world, size_t edge);

/* Finds what the table says of an edge; false where it has none. */
bool world_entry(const world *world, size_t edge, eown_memory_entry *entry);

/* The name of edge number `edge`: static text. */
const char *world_name(size_t edge);

#endif /* EOWN_TESTS_MEMORY_WORLD_H */
