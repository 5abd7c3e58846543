/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_MEMORY_H
#define EOWN_LAB_MEMORY_H

#include "eown/memory_table.h"

#include <stdbool.h>
#include <stddef.h>

/* One edge as it is shown; the names are owned. */
typedef struct lab_memory_edge {
  eown_memory_entry entry; /* its edge points to the names */
  char *inbound;
  char *outbound;
} lab_memory_edge;

/* What was learned, by inbound and outbound. */
typedef struct lab_memory {
  size_t count;
  lab_memory_edge *edges;
} lab_memory;

/* Reads a memory file, or the memory that the replicas of `service` share
 * ("redis://..."; `service` NULL for a file takes any). Ends the program where
 * that cannot be done. Free it with lab_memory_clear. */
void lab_memory_read(lab_memory *memory, const char *source,
                     const char *service, uint64_t half_life_ms);
void lab_memory_clear(lab_memory *memory);

/* "fail-open", "fail-close" or "unknown"; static text. */
const char *lab_memory_kind(eown_edge_kind kind);

/* Print it as a table, or as one JSON object. */
void lab_memory_print_table(const lab_memory *memory);
void lab_memory_print_json(const lab_memory *memory);

#endif /* EOWN_LAB_MEMORY_H */
