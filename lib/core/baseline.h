/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_BASELINE_H
#define EOWN_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

/* How often the inbound calls of one method end, and how often they fail. Old
 * ones fade, by time and by newer ones. Instead of shrinking what is summed up,
 * each inbound weighs a little more than the one before, so that the share one
 * edge has in the sums can be subtracted. A value; see the initialiser. */
typedef struct eown__baseline {
  double inbounds;
  double failed;
  double weight;  /* of the next inbound */
  uint32_t scale; /* how often all weights were cut down */
  uint64_t at_ms;
} eown__baseline;

#define EOWN__BASELINE_INIT                                                    \
  { .weight = 1 }

/* The part of the sums in which one edge failed. A value; zero it. */
typedef struct eown__share {
  double inbounds;
  double failed;
  uint32_t scale;
} eown__share;

/* Lets the time up to `now_ms` pass. */
void eown__baseline_age(eown__baseline *baseline, uint64_t now_ms,
                        uint64_t half_life_ms);

/* Adds inbounds; the shares of the edges that failed in them come before. */
void eown__baseline_add(eown__baseline *baseline, double inbounds,
                        double failed);
void eown__share_add(eown__share *share, const eown__baseline *baseline,
                     double inbounds, double failed);

/* Lets what was summed up fade as by that many inbounds more. */
void eown__baseline_grow(eown__baseline *baseline, double inbounds);

/* Brings the share to the baseline's scale, as its other functions do. */
void eown__share_rescale(eown__share *share, const eown__baseline *baseline);

/* The rate at which the inbound fails while the edge does not. */
double eown__baseline_rate(const eown__baseline *baseline, eown__share *share);

#endif /* EOWN_BASELINE_H */
