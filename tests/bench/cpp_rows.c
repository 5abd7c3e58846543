/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The rows of eown-bench-cpp. */
#include "row.h"

#include <stddef.h>
#include <string.h>

static const row rows[] = {{.name = "stock-cpp"}, {.name = "interceptor"}};

const row *row_find(const char *name) {
  for (size_t i = 0; i < 2; i++) {
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  }
  return NULL;
}

void row_each(void (*visit)(const row *row)) {
  visit(&rows[0]);
  visit(&rows[1]);
}
