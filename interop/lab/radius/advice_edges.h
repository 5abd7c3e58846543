/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_ADVICE_EDGES_H
#define EOWN_LAB_RADIUS_ADVICE_EDGES_H

#include "advice.h"
#include "trial.h"

/* Adds steps that give edges a retry policy, up to `top` steps in all. */
void radius_advice_edges(radius_advice *advice, radius_trial *trial,
                         uint32_t top, uint64_t steps_max);

#endif /* EOWN_LAB_RADIUS_ADVICE_EDGES_H */
