/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROVE_WORLD_H
#define EOWN_LAB_PROVE_WORLD_H

#include "lab/simulate/retry_by.h"
#include "lab/simulate/rules.h"
#include "trees.h"

/* One case: a call tree and what is particular to its services, as bits.
 *
 * Every inbound call makes one outbound call to each callee, all at once, and
 * fails where any of them fails (all edges are fail-close) or where the service
 * fails by itself, which it does always or never. So all attempts of one edge
 * end alike, and a service's load is the product of the attempts above it. */
typedef struct lab_case {
  lab_tree tree;
  uint8_t failing; /* fail by themselves */
  uint8_t policy;  /* callers whose retry policy, or loop, covers the status */
  uint8_t eown;    /* run eown; the others are plain gRPC */
  uint8_t lost;    /* run eown, but lose the inbound context */
  unsigned attempts;
  lab_retry_by retry_by; /* who makes them, everywhere */
} lab_case;

/* What comes of it. Loads are per call to the root. */
typedef struct lab_world {
  const lab_case *of;
  uint8_t failed;                  /* end in an error */
  uint8_t retried;                 /* called again by their callers */
  uint8_t covered;                 /* had their retry, or were held back */
  uint8_t attempts[LAB_TREE_MAX];  /* of the call to this service */
  eown_claim claims[LAB_TREE_MAX]; /* sent with its error */
  uint32_t loads[LAB_TREE_MAX];
  uint32_t stock_loads[LAB_TREE_MAX]; /* had nobody eown */
} lab_world;

/* Plays the case by these rules. `world` keeps a pointer to `of`. */
void lab_world_play(lab_world *world, const lab_case *of,
                    const lab_rules *rules);

/* Says whether the set holds the service. */
static inline bool lab_set_has(unsigned set, unsigned service) {
  return (set >> service & 1u) != 0;
}

#endif /* EOWN_LAB_PROVE_WORLD_H */
