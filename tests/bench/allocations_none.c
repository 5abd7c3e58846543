/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* For the program whose instructions count: it counts no allocations. */
#include "allocations.h"

void allocations_start(void) {}

uint64_t allocations_stop(void) { return 0; }

bool allocations_check(void) { return true; }
