/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "baseline.h"

#include "eown/memory_table.h"

#include <math.h>

/* Weights are cut down before they leave the range of a double. */
#define WEIGHT_MAX 0x1p200
#define WEIGHT_CUT 0x1p-200

static void cut_down(eown__baseline *baseline) {
  if (baseline->weight < WEIGHT_MAX)
    return;
  baseline->inbounds *= WEIGHT_CUT;
  baseline->failed *= WEIGHT_CUT;
  baseline->weight *= WEIGHT_CUT;
  baseline->scale++;
}

void eown__baseline_age(eown__baseline *baseline, uint64_t now_ms,
                        uint64_t half_life_ms) {
  if (now_ms <= baseline->at_ms)
    return;
  double lives = (double)(now_ms - baseline->at_ms) / (double)half_life_ms;
  baseline->weight *= exp2(fmin(lives, 64));
  baseline->at_ms = now_ms;
  cut_down(baseline);
}

void eown__baseline_add(eown__baseline *baseline, double inbounds,
                        double failed) {
  baseline->inbounds += inbounds * baseline->weight;
  baseline->failed += failed * baseline->weight;
  eown__baseline_grow(baseline, inbounds);
}

void eown__baseline_grow(eown__baseline *baseline, double inbounds) {
  baseline->weight *= exp(fmin(inbounds / EOWN_MEMORY_WINDOW, 32));
  cut_down(baseline);
}

void eown__share_rescale(eown__share *share, const eown__baseline *baseline) {
  if (share->scale == baseline->scale)
    return;
  double factor = pow(WEIGHT_CUT, baseline->scale - share->scale);
  share->inbounds *= factor;
  share->failed *= factor;
  share->scale = baseline->scale;
}

void eown__share_add(eown__share *share, const eown__baseline *baseline,
                     double inbounds, double failed) {
  eown__share_rescale(share, baseline);
  share->inbounds += inbounds * baseline->weight;
  share->failed += failed * baseline->weight;
}

double eown__baseline_rate(const eown__baseline *baseline, eown__share *share) {
  eown__share_rescale(share, baseline);
  double w = baseline->weight;
  double inbounds = fmax(0, baseline->inbounds - share->inbounds) / w;
  double failed = fmin(fmax(0, baseline->failed - share->failed) / w, inbounds);
  double rate = (failed + EOWN_MEMORY_PRIOR_RATE * EOWN_MEMORY_PRIOR_INBOUNDS) /
                (inbounds + EOWN_MEMORY_PRIOR_INBOUNDS);
  return fmax(rate, EOWN_MEMORY_FLOOR_RATE);
}
