// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

/**
 * A retry budget, which loops of one callee share. Each first call puts a share of a retry into it,
 * each retry takes one out. Safe for threads.
 */
public final class RetryBudget {
  private final double share;
  private final double most;
  private double retries;

  /**
   * A full budget.
   *
   * @param share retries per first call, 0 to 1: 0.1 allows one for ten calls
   * @param most retries that it holds, 1 to 1000000
   */
  public RetryBudget(double share, double most) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share: got " + share + ", expected 0 to 1");
    }
    if (!(most >= 1 && most <= 1e6)) {
      throw new IllegalArgumentException("most: got " + most + ", expected 1 to 1000000");
    }
    this.share = share;
    this.most = most;
    retries = most;
  }

  synchronized void deposit() {
    retries = Math.min(most, retries + share);
  }

  synchronized boolean isEmpty() {
    return retries < 1;
  }

  synchronized void withdraw() {
    if (!isEmpty()) { // a loop that observes goes on without
      retries--;
    }
  }
}
