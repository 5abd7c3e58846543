/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_FLEET_H
#define EOWN_LAB_FLEET_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_FLEET_SERVICES_MAX 1000000u
#define LAB_FLEET_DEPTH_MAX 512u /* services on a path */
#define LAB_FLEET_NONE UINT32_MAX

/* One edge of the call graph. `cut` and `other` are the alias method's: a draw
 * that lands here stays with this chance, and else goes to the edge `other`.
 * Source: Walker, Vose, A linear algorithm for generating random numbers. */
typedef struct lab_fleet_edge {
  uint32_t callee;
  uint32_t other;
  uint32_t cut; /* of 2^32; where `other` is this edge it does not matter */
  bool no_retry;
  bool fail_open;
} lab_fleet_edge;

/* One service. Its edges lie side by side from `first`, which is a multiple of
 * LAB_FLEET_LINE: what a draw looks at is one line of the cache. */
#define LAB_FLEET_LINE 4u
typedef struct lab_fleet_service {
  uint32_t first;
  uint32_t edges;
  uint32_t calls;      /* made for each inbound call, at least */
  uint32_t more_calls; /* chance of one more, of 2^32 */
  lab_chance fails;    /* of an error of its own */
  bool each;           /* calls each callee once, not those that are drawn */
  bool eown;
  bool lost;       /* loses the inbound context */
  bool overloaded; /* has a limited capacity, and so may fail */
} lab_fleet_service;

/* A fleet of services that call each other. Service 0 is the root; callers have
 * smaller numbers than their callees, so there are no cycles. */
typedef struct lab_fleet {
  uint32_t count;
  uint32_t edge_count; /* places, some of them empty */
  uint32_t depth;      /* services on the longest path */
  lab_fleet_service *services;
  lab_fleet_edge *edges;
  char **names; /* NULL: A, B, C... or s0, s1... */
} lab_fleet;

/* How a fleet is made up: services on `depth` levels, the root alone on the
 * first; each service calls some of the next level. */
typedef struct lab_shape {
  uint32_t services;
  uint32_t depth;
  uint32_t callees; /* that a service knows; the root knows all of its level */
  double fan_out;   /* calls made for each inbound call, at most */
  uint64_t seed;
} lab_shape;

/* Makes up a fleet in which everybody runs eown and nobody fails. The first
 * callee of a service is the likeliest, the n-th is as likely as 1/n; a service
 * that knows no more callees than it makes calls, calls each once. */
void lab_fleet_make(lab_fleet *fleet, const lab_shape *shape);

/* Fills in the alias tables of one service from its edges' weights, of which at
 * least one is above 0. */
void lab_fleet_weigh(lab_fleet *fleet, uint32_t service, const double *weights);

/* Sets the calls a service makes for each inbound call, to callees drawn by
 * weight. */
void lab_fleet_set_calls(lab_fleet_service *service, double calls);

/* Lets a service call each of its callees once, the last one first. */
void lab_fleet_call_each(lab_fleet *fleet, uint32_t service);

/* Draws one of the service's edges by 64 random bits, in two steps: a place
 * among them, and the edge. */
static inline uint32_t lab_fleet_place(const lab_fleet_service *service,
                                       uint32_t calls_left, uint64_t bits) {
  if (service->each)
    return service->first + calls_left;
  return service->first + (uint32_t)((bits >> 32) * service->edges >> 32);
}

static inline uint32_t lab_fleet_draw(const lab_fleet *fleet, uint32_t place,
                                      uint64_t bits) {
  const lab_fleet_edge *edge = &fleet->edges[place];
  return (uint32_t)bits < edge->cut ? place : edge->other;
}

/* The service of that name, or LAB_FLEET_NONE. */
uint32_t lab_fleet_find(const lab_fleet *fleet, const char *name);

/* Writes the name of a service to `text` and returns it. */
#define LAB_FLEET_NAME 128
const char *lab_fleet_name(const lab_fleet *fleet, uint32_t service,
                           char text[LAB_FLEET_NAME]);

/* The first service of the deepest level: fails where nobody is named. */
uint32_t lab_fleet_deepest(const lab_fleet *fleet);

/* Shares of a fleet that are not as they should be, from 0 to 1. */
typedef struct lab_gaps {
  double no_eown;   /* of the services */
  double lost;      /* of the services: the inbound context is lost */
  double no_retry;  /* of the edges */
  double fail_open; /* of the edges */
} lab_gaps;

/* Draws the gaps, the same for the same seed; those of a smaller share are
 * among those of a larger one. */
void lab_fleet_set_gaps(lab_fleet *fleet, const lab_gaps *gaps, uint64_t seed);

/* The edges there are. */
uint32_t lab_fleet_count_edges(const lab_fleet *fleet);

void lab_fleet_clear(lab_fleet *fleet);

/* lab_allocate at the beginning of a cache line; free() it. */
void *lab_allocate_lines(size_t count, size_t size);

/* The next place where a service's edges may begin. */
static inline uint32_t lab_fleet_line(uint32_t edge) {
  return (edge + LAB_FLEET_LINE - 1) / LAB_FLEET_LINE * LAB_FLEET_LINE;
}

#endif /* EOWN_LAB_FLEET_H */
