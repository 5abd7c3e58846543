/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_WORST_H
#define EOWN_LAB_RADIUS_WORST_H

#include "survey.h"

/* The worst of a survey, worst first: by the stock radius, then by the stock
 * amplification. */
typedef struct radius_order {
  uint32_t *items; /* rows, or names of the fleet */
  uint32_t count;
} radius_order;

/* A root that stands in several graphs is there once, at its worst. */
void radius_order_roots(radius_order *order, const radius_survey *survey,
                        uint32_t top);

/* By what comes of it when the service fails; those where nothing does are left
 * out. */
void radius_order_services(radius_order *order, const radius_survey *survey,
                           uint32_t top);

void radius_order_clear(radius_order *order);

#endif /* EOWN_LAB_RADIUS_WORST_H */
