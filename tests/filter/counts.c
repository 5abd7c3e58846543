/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add(test_counts *counts, unsigned counter, uint64_t value) {
  size_t used = strlen(counts->text);
  if (value > 0)
    snprintf(counts->text + used, sizeof(counts->text) - used, "%s%s %" PRIu64,
             used > 0 ? " " : "", eown_counter_name((eown_counter)counter),
             value);
}

test_counts test_counts_without(eown_counter left_out) {
  test_counts counts = {""};
  for (unsigned i = 0; i < EOWN_COUNTER_N; i++) {
    if (i != (unsigned)left_out)
      add(&counts, i, eown_counter_read((eown_counter)i));
  }
  return counts;
}

test_counts test_counts_read(void) {
  return test_counts_without(EOWN_COUNTER_N);
}

typedef struct search {
  const char *method;
  test_counts counts;
} search;

static void visit(void *user, const char *method, const uint64_t *values) {
  search *self = user;
  for (unsigned i = 0; strcmp(method, self->method) == 0 && i < EOWN_COUNTER_N;
       i++)
    add(&self->counts, i, values[i]);
}

test_counts test_counts_of(const char *method) {
  search self = {method, {""}};
  eown_counters_each(visit, &self);
  return self.counts;
}
