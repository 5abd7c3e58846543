/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_MEMORY_H
#define EOWN_LAB_MEMORY_H

#include <stdint.h>

/* Reads a memory file, or the memory that the replicas of `service` share
 * ("redis://..."; `service` NULL for a file takes any), and returns it as
 * eown_memory_json writes it; the caller frees it. Ends the program where that
 * cannot be done. */
char *lab_memory_read(const char *source, const char *service,
                      uint64_t half_life_ms);

/* Prints such a text as a table. */
void lab_memory_print_table(const char *json);

#endif /* EOWN_LAB_MEMORY_H */
