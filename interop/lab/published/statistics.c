/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include <math.h>

/* The share of a normal distribution above 4 standard errors. */
#define TAIL 3.17e-5

/* Above this mean the normal tolerance is the wider one or nearly so. */
#define RARE_MAX 500.0

/* Returns the highest count of a Poisson distribution that is still credible:
 * more than that comes with a probability below TAIL. */
static double poisson_highest(double mean) {
  double term = exp(-mean);
  double above = 1.0 - term; /* P(count > k) */
  double k = 0;
  while (above > TAIL) {
    k += 1;
    term *= mean / k;
    above -= term;
  }
  return k;
}

double lab_rate_tolerance(double expected, double variance, double n) {
  double mean = expected * n;
  double counts = LAB_STANDARD_ERRORS * sqrt(variance * n);
  if (mean < RARE_MAX)
    counts = fmax(counts, poisson_highest(mean) - mean);
  return counts / n;
}
