/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "worst.h"

#include "lab/base/failure.h"

#include <stdlib.h>

typedef struct entry {
  uint32_t item;
  uint32_t radius;
  double amplification;
} entry;

static entry entry_of(uint32_t item, const radius_worst *worst) {
  return (entry){item, worst->radius[RADIUS_STOCK],
                 worst->amplification[RADIUS_STOCK]};
}

/* Among equals, in the order of the input. */
static int compare(const void *left, const void *right) {
  const entry *a = left;
  const entry *b = right;
  if (a->radius != b->radius)
    return a->radius > b->radius ? -1 : 1;
  if (a->amplification != b->amplification)
    return a->amplification > b->amplification ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

static void begin(radius_order *order, uint32_t top) {
  order->count = 0;
  order->items = lab_allocate(top, sizeof(*order->items));
}

static uint32_t root_name(const radius_survey *survey, uint32_t row) {
  const radius_row *what = &survey->rows[row];
  return survey->fleet->graphs[what->graph].names[what->root];
}

void radius_order_roots(radius_order *order, const radius_survey *survey,
                        uint32_t top) {
  entry *entries = lab_allocate(survey->count, sizeof(*entries));
  bool *seen = lab_allocate(survey->fleet->names.count, sizeof(*seen));
  for (uint32_t i = 0; i < survey->count; i++)
    entries[i] = entry_of(i, &survey->rows[i].worst);
  qsort(entries, survey->count, sizeof(*entries), compare);
  begin(order, top);
  for (uint32_t i = 0; i < survey->count && order->count < top; i++) {
    uint32_t name = root_name(survey, entries[i].item);
    if (!seen[name])
      order->items[order->count++] = entries[i].item;
    seen[name] = true;
  }
  free(seen);
  free(entries);
}

void radius_order_services(radius_order *order, const radius_survey *survey,
                           uint32_t top) {
  uint32_t names = survey->fleet->names.count;
  uint32_t count = 0;
  entry *entries = lab_allocate(names, sizeof(*entries));
  for (uint32_t i = 0; i < names; i++)
    if (survey->services[i].radius[RADIUS_STOCK])
      entries[count++] = entry_of(i, &survey->services[i]);
  qsort(entries, count, sizeof(*entries), compare);
  begin(order, top);
  for (uint32_t i = 0; i < count && i < top; i++)
    order->items[order->count++] = entries[i].item;
  free(entries);
}

void radius_order_clear(radius_order *order) {
  free(order->items);
  *order = (radius_order){0};
}
