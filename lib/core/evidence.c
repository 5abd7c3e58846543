/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The test in steps:
 *   1. An inbound that failed together with the edge makes "fail-close" more
 *      likely by ln(1 + power (1 - q) / q), where q is the rate at which the
 *      inbound fails anyway; one that carried on makes it less likely by
 *      ln(1 - power).
 *   2. The score is kept between the two thresholds, so that what was learned
 *      long ago never outweighs what happens now.
 *   3. At a threshold the verdict is made. It is taken back when a quarter of
 *      the threshold is all that is left, not before.
 */
#include "evidence.h"

#include "eown/memory_table.h"

#include <math.h>

static double between(double low, double value, double high) {
  return fmin(fmax(value, low), high);
}

static eown_edge_kind judge(double score, eown_edge_kind before) {
  if (score <= -EOWN_MEMORY_OPEN_SCORE)
    return EOWN_EDGE_FAIL_OPEN;
  if (score >= EOWN_MEMORY_CLOSE_SCORE)
    return EOWN_EDGE_FAIL_CLOSE;
  bool open_still = before == EOWN_EDGE_FAIL_OPEN &&
                    score <= -EOWN_MEMORY_OPEN_SCORE * EOWN_MEMORY_HYSTERESIS;
  bool close_still = before == EOWN_EDGE_FAIL_CLOSE &&
                     score >= EOWN_MEMORY_CLOSE_SCORE * EOWN_MEMORY_HYSTERESIS;
  return open_still || close_still ? before : EOWN_EDGE_UNKNOWN;
}

void eown__evidence_age(eown__evidence *evidence, uint64_t now_ms,
                        uint64_t half_life_ms) {
  if (now_ms <= evidence->at_ms)
    return;
  double lives = (double)(now_ms - evidence->at_ms) / (double)half_life_ms;
  double kept = exp2(-lives);
  evidence->score *= kept;
  evidence->failures *= kept;
  evidence->together *= kept;
  evidence->at_ms = now_ms;
  evidence->kind = judge(evidence->score, evidence->kind);
}

static double weight_of_failure(double q) {
  return log1p(EOWN_MEMORY_POWER * (1 - q) / q);
}

void eown__evidence_add(eown__evidence *evidence, double failures,
                        double together, double base_rate) {
  evidence->failures += failures;
  evidence->together += together;
  double step = together * weight_of_failure(base_rate) +
                (failures - together) * log1p(-EOWN_MEMORY_POWER);
  evidence->score = between(-EOWN_MEMORY_OPEN_SCORE, evidence->score + step,
                            EOWN_MEMORY_CLOSE_SCORE);
  evidence->kind = judge(evidence->score, evidence->kind);
}

void eown__evidence_restore(eown__evidence *evidence, double score,
                            double failures, double together,
                            eown_edge_kind kind) {
  eown_edge_kind before =
      evidence->kind == EOWN_EDGE_UNKNOWN ? kind : evidence->kind;
  evidence->failures += failures;
  evidence->together += together;
  evidence->score = between(-EOWN_MEMORY_OPEN_SCORE, evidence->score + score,
                            EOWN_MEMORY_CLOSE_SCORE);
  evidence->kind = judge(evidence->score, before);
}

double eown__evidence_confidence(const eown__evidence *evidence) {
  return 1 / (1 + exp(-fabs(evidence->score)));
}
