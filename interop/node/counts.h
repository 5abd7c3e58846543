/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_COUNTS_H
#define NODE_COUNTS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct node node;

/* What a node counts itself, of Call and Stream only. */
typedef struct counts {
  _Atomic uint64_t served;       /* inbound calls, on arrival */
  _Atomic uint64_t errors;       /* inbound calls answered with an error */
  _Atomic uint64_t own_failures; /* of these, by its own decision */
  _Atomic uint64_t made;         /* outbound calls started */
} counts;

static inline void count(_Atomic uint64_t *counter) {
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

/* The node's counts, its callees' and eown's counters as one line of JSON,
 * `event` first. The caller frees it; NULL when out of memory. */
char *counts_json(const node *node, const char *event);

/* Sets all of these to zero. */
void counts_reset(node *node);

#endif /* NODE_COUNTS_H */
