/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_COUNTS_H
#define EOWN_LAB_COUNTS_H

#include "fleet.h"

#include "eown/rules.h"

/* What one service saw. */
typedef struct lab_service_counts {
  uint64_t served;  /* inbound calls */
  uint64_t first;   /* of these without any retry on their way */
  uint64_t retries; /* of these that were retries of the caller's own call */
  uint64_t failed;
  uint64_t stopped; /* retries of its own calls, by eown */
} lab_service_counts;

/* What a simulation, or a part of it, counted. Whole numbers: the sum is the
 * same in any order. */
typedef struct lab_counts {
  uint64_t requests; /* at the root */
  uint64_t failures; /* of these */
  uint64_t hops;     /* calls served, the root's included */
  uint64_t useful;   /* of these that a successful request is made of */
  uint64_t stopped[EOWN_RETRY_N]; /* retries that gRPC or a loop would have
                                     made, by reason */
  uint64_t multiplied; /* the same: a loop's, as gRPC's attempts count */
  uint64_t throttled;  /* retries that retryThrottling stopped */
  uint32_t count;      /* of services */
  lab_service_counts *services;
} lab_counts;

/* Makes counts for that many services, all 0. */
void lab_counts_init(lab_counts *counts, uint32_t services);

/* Adds `other`; the first of the two all but the counts of the services. */
void lab_counts_add(lab_counts *counts, const lab_counts *other);
void lab_service_counts_add(lab_service_counts *counts,
                            const lab_service_counts *other);

void lab_counts_clear(lab_counts *counts);

/* A service's load over its load without retries; 1 where it has none. */
double lab_counts_factor(const lab_counts *counts, uint32_t service);

#endif /* EOWN_LAB_COUNTS_H */
