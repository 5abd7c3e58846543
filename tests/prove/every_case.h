/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PROVE_EVERY_CASE_H
#define EOWN_TESTS_PROVE_EVERY_CASE_H

#include "lab/prove/world.h"

/* What a service with eown says of its error, found in another way. */
typedef eown_claim every_case_says(const lab_world *world, unsigned service);

/* Plays every case of up to four services whose callers make `attempts`, by
 * `by`, and checks that each service says in the explorer what `says` finds. */
void every_case_check(lab_retry_by by, unsigned attempts,
                      every_case_says *says);

#endif /* EOWN_TESTS_PROVE_EVERY_CASE_H */
