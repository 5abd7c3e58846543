/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_MEMORY_H
#define EOWN_MEMORY_H

#include "eown/edge.h"
#include "eown/pins.h"
#include "eown/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How one edge of a finished inbound call ended. */
typedef struct eown_edge_end {
  eown_edge edge;
  bool failed;           /* the outbound's last outcome was a failure */
  eown_edge_kind pinned; /* fixed by hand; UNKNOWN: it is not */
} eown_edge_end;

/* A finished inbound call, as the memory learns from it. All is borrowed. */
typedef struct eown_inbound_end {
  const char *inbound; /* gRPC path, needs no NUL */
  size_t inbound_length;
  bool failed;       /* it ended with an error; else with OK */
  bool more;         /* edges failed beyond those listed */
  size_t edge_count; /* edges on which something failed; may be 0 */
  const eown_edge_end *edges;
} eown_inbound_end;

/* The dependency memory as the inbound context sees it (rule 4). An
 * implementation is safe under many threads, never blocks for long and never
 * fails: what it does not know is UNKNOWN. Both are called on the error path
 * only, with a lock of the inbound context held: they must not call into that
 * context. eown/memory_table.h has the implementation that learns. */
typedef struct eown_memory {
  /* What is known of `edge`. NULL: nothing is known of any edge. */
  eown_edge_kind (*kind)(void *self, const eown_edge *edge, uint64_t now_ms);
  /* An inbound call ended with an error, or with OK although an outbound had
   * failed. NULL: nothing is learned. */
  void (*learn)(void *self, const eown_inbound_end *end, uint64_t now_ms);
  void *self;
} eown_memory;

#ifdef __cplusplus
}
#endif

#endif /* EOWN_MEMORY_H */
