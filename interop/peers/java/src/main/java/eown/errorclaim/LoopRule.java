// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

/**
 * What a retry loop knows when a call has ended, and the reason that follows.
 *
 * @param listed the loop retries this status
 * @param committed the application got a part of the answer
 * @param timeLeft after the wait before the next call
 * @param chained chain stop is on, and the inbound call is itself a retry
 * @param attemptsLeft gRPC's own retries counted
 * @param refused the callee's pushback says no
 */
record LoopRule(
    boolean ok,
    boolean cancelled,
    boolean listed,
    boolean committed,
    boolean callsLeft,
    boolean timeLeft,
    Claim claim,
    boolean budgetEmpty,
    boolean chained,
    boolean attemptsLeft,
    boolean refused) {

  /** The first reason that fits; those of ownership only where it owns. */
  LoopReason reason(boolean owns) {
    for (LoopReason reason : LoopReason.values()) {
      if (holds(reason) && (owns || !reason.isOwnership())) {
        return reason;
      }
    }
    throw new AssertionError("RETRY always holds");
  }

  private boolean holds(LoopReason reason) {
    Rules.Retry retry = Rules.retry(!ok, claim, budgetEmpty, chained);
    return switch (reason) {
      case OK -> ok;
      case CANCELLED -> cancelled;
      case STATUS -> !listed;
      case COMMITTED -> committed;
      case ATTEMPTS -> !callsLeft;
      case DEADLINE -> !timeLeft;
      case UNCLAIMED -> retry == Rules.Retry.UNCLAIMED;
      case BUDGET -> retry == Rules.Retry.BUDGET;
      case CHAIN -> retry == Rules.Retry.CHAIN;
      case MULTIPLIED -> !attemptsLeft;
      case PUSHBACK -> refused;
      case RETRY -> true;
    };
  }
}
