/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PINS_H
#define EOWN_PINS_H

#include "eown/edge.h"
#include "eown/rules.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#endif /* EOWN_PINS_H */
