/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_HISTOGRAM_H
#define EOWN_LAB_RADIUS_HISTOGRAM_H

#include "survey.h"

/* How many roots have each radius, by way. */
typedef struct radius_histogram {
  uint32_t count; /* the highest radius, and one */
  uint32_t (*roots)[RADIUS_WAYS];
} radius_histogram;

void radius_histogram_make(radius_histogram *histogram,
                           const radius_survey *survey);

void radius_histogram_clear(radius_histogram *histogram);

#endif /* EOWN_LAB_RADIUS_HISTOGRAM_H */
