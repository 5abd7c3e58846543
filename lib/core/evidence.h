/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_EVIDENCE_H
#define EOWN_EVIDENCE_H

#include "eown/rules.h"

#include <stdint.h>

/* What speaks for and against an edge being fail-close; the statistics are
 * described in eown/memory_table.h. A value; zero it before use. */
typedef struct eown__evidence {
  double score;    /* log-likelihood ratio; below 0: for fail-open */
  double failures; /* of the edge, decayed */
  double together; /* of these, with the inbound failed as well */
  uint64_t at_ms;  /* as of when */
  eown_edge_kind kind;
} eown__evidence;

/* Lets the time up to `now_ms` pass: everything halves in `half_life_ms`. */
void eown__evidence_age(eown__evidence *evidence, uint64_t now_ms,
                        uint64_t half_life_ms);

/* Adds `failures` of the edge, `together` of which came with a failure of the
 * inbound, where the inbound fails at `base_rate` without the edge. */
void eown__evidence_add(eown__evidence *evidence, double failures,
                        double together, double base_rate);

/* Adds what was known earlier. Where both sides had a verdict and they differ,
 * the score of both together decides. */
void eown__evidence_restore(eown__evidence *evidence, double score,
                            double failures, double together,
                            eown_edge_kind kind);

/* How sure the verdict is, or, while there is none, how far the evidence leans
 * to the side it is on: 0.5 to 1. */
double eown__evidence_confidence(const eown__evidence *evidence);

#endif /* EOWN_EVIDENCE_H */
