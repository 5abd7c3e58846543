// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import java.util.List;
import java.util.Set;

/** Rules 1 to 3 and the reading of marks. */
final class Rules {
  /** Rule 1: may the attempt be retried, or what stops it? */
  enum Retry {
    OK,
    ALLOWED,
    UNCLAIMED,
    BUDGET,
    CHAIN
  }

  // UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS
  private static final Set<Integer> FAULTS = Set.of(2, 4, 8, 10, 13, 14, 15);

  private Rules() {}

  static boolean isFault(int code) {
    return FAULTS.contains(code);
  }

  static Retry retry(boolean failed, Claim claim, boolean budgetEmpty, boolean chained) {
    if (!failed) {
      return Retry.OK;
    } else if (claim == Claim.UNCLAIMED) {
      return Retry.UNCLAIMED;
    } else if (budgetEmpty) {
      return Retry.BUDGET;
    }
    return chained ? Retry.CHAIN : Retry.ALLOWED;
  }

  /**
   * Rule 2: has this error had its retry? A policy that covers the status either retried, or
   * something held it back.
   */
  static boolean satisfied(Claim claim, boolean retried, boolean covered, boolean application) {
    return application || claim == Claim.UNCLAIMED || retried || covered;
  }

  /** Rule 3, of one outbound. The highest reason of all outbounds speaks. */
  static Reason reason(boolean failed, boolean failOpen, boolean satisfied) {
    if (!failed) {
      return Reason.OWN;
    } else if (failOpen) {
      return Reason.COINCIDENTAL;
    }
    return satisfied ? Reason.PROPAGATED : Reason.AT_LEAST_ONCE;
  }

  static Claim claimOf(Reason reason) {
    return reason == Reason.PROPAGATED ? Claim.UNCLAIMED : Claim.CLAIMED;
  }

  /** Do these values of the retry mark's key make a mark? One that does is enough. */
  static boolean isMark(List<String> values) {
    return values.contains("1");
  }
}
