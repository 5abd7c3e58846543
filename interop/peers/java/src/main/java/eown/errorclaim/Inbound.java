// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import io.grpc.Context;
import io.grpc.Status;
import java.util.HashMap;
import java.util.Map;

/** One inbound call, and what became of the calls made for it. Safe for threads. */
final class Inbound {
  static final Context.Key<Inbound> KEY = Context.key("eown-inbound");

  /** The word on an error: what the trailers say. */
  record Word(Claim claim, ErrorClaim detail) {}

  private final String path;
  private final boolean marked;
  private final Map<String, Edge> edges = new HashMap<>();
  private int failures; // so far
  private Claim chosen; // by the application, or null

  Inbound(String path, boolean marked) {
    this.path = path;
    this.marked = marked;
  }

  /** Is it itself a retry? */
  boolean isMarked() {
    return marked;
  }

  /** Where a call that starts now stands among the failures. */
  synchronized int started() {
    return failures;
  }

  /** Does a call to this method go out as a retry? */
  synchronized boolean marks(String callee) {
    Edge edge = edges.get(callee);
    return marked || edge != null && edge.hasFault();
  }

  /**
   * Takes the end of an outbound call. What failed before it was started is settled by it, what
   * failed beside it is not.
   */
  synchronized void record(Outbound call) {
    Edge edge = edges.get(call.path());
    if (call.code() != Status.Code.OK) {
      failures++;
      edges.computeIfAbsent(call.path(), Edge::new).fail(call, failures);
    } else if (edge != null && edge.isSettledBy(call)) {
      edges.remove(call.path());
    }
  }

  synchronized void noteLoop(String callee, Status.Code code, int attempts, boolean heldBack) {
    Edge edge = edges.get(callee);
    if (edge != null) {
      edge.noteLoop(code, attempts, heldBack);
    }
  }

  synchronized void choose(Claim claim) {
    chosen = claim;
  }

  synchronized void setRetried() {
    edges.values().forEach(Edge::setRetried);
  }

  /** The claim and the detail for the error that the call ends with. */
  synchronized Word decide(Status.Code code, String service) {
    Edge speaker = speaker(code);
    Reason reason = speaker == null ? Reason.OWN : speaker.reason(code);
    Claim claim = Rules.claimOf(reason);
    if (chosen != null) {
      claim = chosen;
      reason = Reason.APPLICATION;
    }
    boolean passesOn = claim == Claim.UNCLAIMED && speaker != null;
    ErrorClaim.Builder detail =
        (passesOn ? Detail.passedOn(speaker.detail(), speaker.path) : Detail.own(path, service))
            .toBuilder();
    if (speaker != null) {
      detail.setAttempts(speaker.attempts());
    }
    return new Word(claim, detail.setReason(reason).build());
  }

  /** The edge with the highest reason, of several the one that failed last; null: none failed. */
  private Edge speaker(Status.Code code) {
    Edge speaker = null;
    for (Edge edge : edges.values()) {
      int rank = edge.reason(code).compareTo(speaker == null ? Reason.OWN : speaker.reason(code));
      boolean later = speaker != null && edge.lastFailed() > speaker.lastFailed();
      if (rank > 0 || rank == 0 && later) {
        speaker = edge;
      }
    }
    return speaker;
  }
}
