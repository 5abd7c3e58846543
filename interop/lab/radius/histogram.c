/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include "lab/base/failure.h"

#include <stdlib.h>

void radius_histogram_make(radius_histogram *histogram,
                           const radius_survey *survey) {
  uint32_t highest = 0;
  for (uint32_t way = 0; way < survey->ways; way++)
    if (survey->all.radius[way] > highest)
      highest = survey->all.radius[way];
  histogram->count = highest + 1;
  histogram->roots = lab_allocate(histogram->count, sizeof(*histogram->roots));
  for (uint32_t i = 0; i < survey->count; i++)
    for (uint32_t way = 0; way < survey->ways; way++)
      histogram->roots[survey->rows[i].worst.radius[way]][way]++;
}

void radius_histogram_clear(radius_histogram *histogram) {
  free(histogram->roots);
  *histogram = (radius_histogram){0};
}
