// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One outbound call, from its start to its end. A retry loop starts it, and the interceptor of the
 * channel, where there is one, adopts it; without a loop it is the interceptor's.
 */
final class Outbound extends ClientStreamTracer.Factory {
  static final CallOptions.Key<Outbound> KEY = CallOptions.Key.create("eown-outbound");

  private final String path;
  private final boolean streams; // its answer, of which the application may get a part
  private final Inbound inbound; // or null
  private final int started;
  private final AtomicInteger attempts = new AtomicInteger();
  private ClientSettings settings = ClientSettings.DEFAULT;
  private ServiceConfig.Policy policy; // or null
  private boolean owned; // by an interceptor, or by a loop that owns errors
  private boolean retry; // of a loop
  private volatile boolean messageReceived;

  // Trailers of an attempt in which another pushback stands, and the callee's own.
  private volatile Metadata changed;
  private volatile List<String> theirs;

  // Once it has ended.
  private Status.Code code;
  private Claim claim = Claim.MISSING;
  private ErrorClaim detail; // or null
  private Pushback pushback = Pushback.read(List.of());

  Outbound(String path, boolean streams, Inbound inbound) {
    this.path = path;
    this.streams = streams;
    this.inbound = inbound;
    started = inbound == null ? 0 : inbound.started();
  }

  /** A retry loop that owns errors makes the call. */
  void own(boolean loopRetries, boolean observes) {
    owned = true;
    retry = loopRetries;
    settings = new ClientSettings(false, null, false, observes, () -> {});
  }

  /** The interceptor of the channel takes the call under its settings. */
  void adopt(ClientSettings channel, ServiceConfig.Policy retryPolicy) {
    settings = channel;
    policy = retryPolicy;
    owned = true;
  }

  // --- the request -------------------------------------------------------------------

  /** Makes the headers right: one mark or none, and no claims. Once more changes nothing. */
  void prepare(Metadata headers) {
    if (!owned) {
      return;
    }
    Keys.removeClaim(headers, settings.alias());
    List<String> marks = Keys.values(headers, Keys.MARK);
    boolean forwarded = Rules.isMark(marks);
    boolean own = retry || inbound != null && inbound.marks(path);
    headers.discardAll(Keys.MARK);
    if (!settings.trustBoundary() && (forwarded || own)) {
      headers.put(Keys.MARK, "1");
    }
  }

  /** An attempt starts. gRPC's own count is of this call alone, whatever its headers say. */
  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    if (!info.isTransparentRetry()) {
      attempts.incrementAndGet();
    }
    if (info.getPreviousAttempts() > 0 && owned && !settings.trustBoundary()) {
      Keys.set(headers, Keys.MARK, List.of("1"));
    }
    return new Attempt(this, info.getPreviousAttempts() + 1);
  }

  // --- an attempt's answer -----------------------------------------------------------

  /**
   * Trailers of an attempt, before gRPC decides on a retry: an unclaimed error gets the pushback
   * that stops it, and at a trust boundary one that came with a claim is taken out. The end of the
   * call restores what the callee sent.
   */
  void endAttempt(Metadata trailers) {
    boolean stops = pushbackOf(trailers).kind() == Pushback.Kind.STOP;
    if (settings.trustBoundary()) {
      if (stops && Keys.hasClaim(trailers, settings.alias())) {
        setPushback(trailers, List.of());
      }
    } else if (owned && !settings.observe() && claimOf(trailers) == Claim.UNCLAIMED) {
      setPushback(trailers, List.of("-1"));
    }
  }

  private void setPushback(Metadata trailers, List<String> ours) {
    theirs = Keys.values(trailers, Keys.PUSHBACK);
    changed = trailers;
    Keys.set(trailers, Keys.PUSHBACK, ours);
  }

  /** Counts a retry that the policy would have made, had the error been claimed. */
  void countStop(Status status, Metadata trailers, int attempt) {
    boolean covered = policy != null && policy.covers(status.getCode());
    if (covered && attempt < policy.maxAttempts() && claimOf(trailers) == Claim.UNCLAIMED) {
      settings.onStopped().run();
    }
  }

  private static Pushback pushbackOf(Metadata trailers) {
    return Pushback.read(Keys.values(trailers, Keys.PUSHBACK));
  }

  private Claim claimOf(Metadata trailers) {
    return settings.trustBoundary()
        ? Claim.MISSING
        : Claim.read(Keys.values(trailers, Keys.CLAIM), Keys.values(trailers, settings.alias()));
  }

  // --- the call's answer -------------------------------------------------------------

  void receiveMessage() {
    messageReceived = true;
  }

  /** The call has ended, before the application is told. Once more changes nothing. */
  synchronized void end(Status status, Metadata trailers) {
    if (code != null) {
      return;
    }
    code = status.getCode();
    readPushback(trailers);
    if (code != Status.Code.OK) {
      readWord(trailers);
    }
    if (inbound != null && owned) {
      inbound.record(this);
    }
  }

  /** At a trust boundary the callee's own is restored for the application, but not believed. */
  private void readPushback(Metadata trailers) {
    Pushback believed = pushbackOf(trailers);
    if (trailers == changed) {
      Keys.set(trailers, Keys.PUSHBACK, theirs);
    }
    pushback = settings.trustBoundary() ? believed : pushbackOf(trailers);
  }

  private void readWord(Metadata trailers) {
    claim = claimOf(trailers);
    List<byte[]> details = Keys.values(trailers, Keys.DETAIL);
    if (claim != Claim.MISSING && details.size() == 1) {
      detail = Detail.read(details.get(0));
    }
  }

  // --- what is known -----------------------------------------------------------------

  String path() {
    return path;
  }

  int started() {
    return started;
  }

  int attempts() {
    return attempts.get();
  }

  boolean failOpen() {
    return settings.failOpen();
  }

  boolean observes() {
    return settings.observe();
  }

  synchronized Status.Code code() {
    return code;
  }

  synchronized Claim claim() {
    return claim;
  }

  synchronized ErrorClaim detail() {
    return detail;
  }

  synchronized Pushback pushback() {
    return pushback;
  }

  /** Does the channel's retry policy cover the status? */
  boolean isCovered() {
    return policy != null && policy.covers(code());
  }

  /** Did the application get a part of the answer, though the call failed? */
  boolean isCommitted() {
    return streams && messageReceived;
  }
}
