/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_CORE_MEMORY_TABLE_H
#define EOWN_CORE_MEMORY_TABLE_H

#include "eown/memory_table.h"

#include "records.h"

/* The table's inside, shared by what learns (memory_table.c) and what looks at
 * it from outside (memory_entries.c). */
struct eown_memory_table {
  eown__records records; /* first, for eown__hot_table_empty */
  uint64_t half_life_ms;
  const eown_allocator *allocator;
};

#endif /* EOWN_CORE_MEMORY_TABLE_H */
