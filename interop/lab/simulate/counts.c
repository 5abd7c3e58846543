/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

#include "lab/base/failure.h"

#include <stdlib.h>

void lab_counts_init(lab_counts *counts, uint32_t services) {
  *counts = (lab_counts){.count = services};
  counts->services = lab_allocate(services, sizeof(*counts->services));
}

void lab_service_counts_add(lab_service_counts *counts,
                            const lab_service_counts *other) {
  counts->served += other->served;
  counts->first += other->first;
  counts->retries += other->retries;
  counts->failed += other->failed;
  counts->stopped += other->stopped;
}

void lab_counts_add(lab_counts *counts, const lab_counts *other) {
  counts->requests += other->requests;
  counts->failures += other->failures;
  counts->hops += other->hops;
  counts->useful += other->useful;
  counts->multiplied += other->multiplied;
  counts->throttled += other->throttled;
  for (int i = 0; i < EOWN_RETRY_N; i++)
    counts->stopped[i] += other->stopped[i];
}

void lab_counts_clear(lab_counts *counts) {
  free(counts->services);
  *counts = (lab_counts){0};
}

double lab_counts_factor(const lab_counts *counts, uint32_t service) {
  const lab_service_counts *own = &counts->services[service];
  return own->first ? (double)own->served / (double)own->first : 1;
}
