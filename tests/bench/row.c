/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "row.h"

#include <stddef.h>
#include <string.h>

static const row rows[] = {
    {.name = "stock"},
    {.name = "off", .mode = "off"},
    {.name = "observe", .mode = "observe"},
    {.name = "enforce", .mode = "enforce"},
    {.name = "enforce-no-memory", .mode = "enforce", .forgetful = true},
    {.name = "stock-chain", .chain = true},
    {.name = "enforce-chain", .mode = "enforce", .chain = true},
    {.name = "hand-loop", .mode = "enforce", .loop = ROW_LOOP_BY_HAND},
    {.name = "enforce-loop", .mode = "enforce", .loop = ROW_LOOP_OWNED},
    {.name = "stock-unclaimed", .unclaimed = true},
    {.name = "enforce-unclaimed", .mode = "enforce", .unclaimed = true},
};

#define ROWS_N (sizeof rows / sizeof rows[0])

const row *row_find(const char *name) {
  for (size_t i = 0; i < ROWS_N; i++) {
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  }
  return NULL;
}

void row_each(void (*visit)(const row *row)) {
  for (size_t i = 0; i < ROWS_N; i++)
    visit(&rows[i]);
}
