// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

/** gRPC's backoff, without pushback. */
record Backoff(double initialMs, double maxMs, double multiplier) {

  /** The wait in ms before retry n (1 is the first); {@code random} is from 0 to 1. */
  double waitMs(int n, double random) {
    double wait = initialMs * Math.pow(multiplier, n - 1);
    return Math.min(wait, maxMs) * (0.8 + 0.4 * random);
  }
}
