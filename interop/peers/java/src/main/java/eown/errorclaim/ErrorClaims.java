// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

/** What a handler may say of the error of its inbound call, the current one of its context. */
public final class ErrorClaims {
  private ErrorClaims() {}

  /**
   * Chooses the claim of the error that the inbound call may end with.
   *
   * @param claim CLAIMED or UNCLAIMED
   */
  public static void choose(Claim claim) {
    if (claim == Claim.MISSING) {
      throw new IllegalArgumentException("claim: got MISSING, expected CLAIMED or UNCLAIMED");
    }
    Inbound inbound = Inbound.KEY.get();
    if (inbound != null) {
      inbound.choose(claim);
    }
  }

  /** Says that the outbound calls that failed so far have had their retry. */
  public static void setRetried() {
    Inbound inbound = Inbound.KEY.get();
    if (inbound != null) {
      inbound.setRetried();
    }
  }
}
