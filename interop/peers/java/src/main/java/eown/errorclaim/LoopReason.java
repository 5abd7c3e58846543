// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import java.util.Locale;

/** Why a retry loop ended, or goes on, in the order in which the reasons are looked at. */
public enum LoopReason {
  OK,
  CANCELLED,
  STATUS,
  COMMITTED,
  ATTEMPTS,
  DEADLINE,
  UNCLAIMED,
  BUDGET,
  CHAIN,
  MULTIPLIED,
  PUSHBACK,
  RETRY;

  /** Is it one of error ownership's? */
  public boolean isOwnership() {
    return compareTo(UNCLAIMED) >= 0 && compareTo(MULTIPLIED) <= 0;
  }

  /** Did the status call for a retry that something held back? */
  public boolean isHeldBack() {
    return compareTo(COMMITTED) >= 0 && compareTo(PUSHBACK) <= 0;
  }

  /** Its name in the protocol. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
