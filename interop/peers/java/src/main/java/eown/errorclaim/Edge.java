// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;

/** What failed on one method since it last succeeded, for one inbound call. */
final class Edge {
  final String path;
  private final Set<Status.Code> codes = EnumSet.noneOf(Status.Code.class);
  private int firstFailed;
  private int lastFailed;
  private boolean satisfied;
  private boolean failOpen;
  private ErrorClaim detail; // of the last failure, or null
  private int attempts; // of the last failure

  Edge(String path) {
    this.path = path;
  }

  int lastFailed() {
    return lastFailed;
  }

  int attempts() {
    return attempts;
  }

  ErrorClaim detail() {
    return detail;
  }

  boolean hasFault() {
    return codes.stream().anyMatch(code -> Rules.isFault(code.value()));
  }

  /** Did all that failed come before this call was started? */
  boolean isSettledBy(Outbound call) {
    return call.started() >= lastFailed;
  }

  /** Takes the failure that is number {@code sequence} of its inbound call. */
  void fail(Outbound call, int sequence) {
    boolean again = hasFault() && call.started() >= firstFailed;
    if (codes.isEmpty() || isSettledBy(call)) {
      codes.clear();
      satisfied = false;
      firstFailed = sequence;
    }
    codes.add(call.code());
    boolean retried = again || call.attempts() > 1;
    satisfied |=
        Rules.isFault(call.code().value())
            && Rules.satisfied(call.claim(), retried, call.isCovered(), false);
    lastFailed = sequence;
    failOpen = call.failOpen();
    detail = call.detail();
    attempts = call.attempts();
  }

  /** A loop ended with a failure of this edge, after so many attempts. */
  void noteLoop(Status.Code code, int allAttempts, boolean heldBack) {
    attempts = allAttempts;
    satisfied |= heldBack && codes.contains(code) && Rules.isFault(code.value());
  }

  void setRetried() {
    satisfied = true;
  }

  /** A status that answers the request counts only where it is handed on. */
  Reason reason(Status.Code inboundEndsWith) {
    boolean handedOn =
        !Rules.isFault(inboundEndsWith.value()) && codes.contains(inboundEndsWith);
    return Rules.reason(hasFault() || handedOn, failOpen, satisfied || handedOn);
  }
}
