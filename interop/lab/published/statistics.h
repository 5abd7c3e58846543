/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_STATISTICS_H
#define EOWN_LAB_STATISTICS_H

/* How many standard errors a random figure may differ. */
#define LAB_STANDARD_ERRORS 4.0

/* Returns by how much a rate of events measured over `n` trials may differ from
 * `expected`, where one trial's variance is `variance`. The variance is that of
 * the expected rate, not of the measured one, which is 0 where nothing was
 * seen. For rare events, where a count is not normal, it is at least what the
 * Poisson distribution exceeds as seldom. */
double lab_rate_tolerance(double expected, double variance, double n);

#endif /* EOWN_LAB_STATISTICS_H */
