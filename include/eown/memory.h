/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_MEMORY_H
#define EOWN_MEMORY_H

#include "eown/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An edge of the call graph: (inbound method here -> outbound method there),
 * both as gRPC paths. The names are borrowed and need no NUL. An inbound of
 * length 0 stands for work that has no inbound call. */
typedef struct eown_edge {
  const char *inbound;
  size_t inbound_length;
  const char *outbound;
  size_t outbound_length;
} eown_edge;

/* The dependency memory as the inbound context sees it (rule 4). An
 * implementation is safe under many threads, never blocks and never fails: what
 * it does not know is UNKNOWN. Both are called on the error path only, with a
 * lock of the inbound context held: they must not call into that context. */
typedef struct eown_memory {
  /* What is known of `edge`. NULL: nothing is known of any edge. */
  eown_edge_kind (*kind)(void *self, const eown_edge *edge);
  /* A finished inbound call: whether the outbound's last outcome was a failure
   * and whether the inbound failed. NULL: nothing is learned. */
  void (*learn)(void *self, const eown_edge *edge, bool outbound_failed,
                bool inbound_failed, uint64_t now_ms);
  void *self;
} eown_memory;

/* Edges fixed by hand; they win over whatever was learned.
 *
 * Text form: entries separated by commas, each "outbound=kind" or
 * "inbound>outbound=kind", where kind is fail-open or fail-close and a name is
 * a gRPC path ("/shop.Cart/Get"), a path ending in '*' that stands for all that
 * begin so, or "*". The first entry that fits an edge wins. */

/* The most entries one text may hold. */
#define EOWN_PINS_MAX 256

/* Finds the first pin in `text` (NUL-terminated, NULL: no pins) that fits
 * `edge` and writes it to `*kind`; returns false where none does. The text must
 * have passed eown_pins_check. Allocates nothing; thread-safe. */
bool eown_pins_find(const char *text, const eown_edge *edge,
                    eown_edge_kind *kind);

/* Checks the form of `text`. Returns true where it is good; otherwise false
 * with a sentence in `message` (of `size` bytes, may be NULL) that names the
 * entry and what was expected. */
bool eown_pins_check(const char *text, char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_MEMORY_H */
