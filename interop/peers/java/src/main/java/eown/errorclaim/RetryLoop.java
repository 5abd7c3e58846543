// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import eown.errorclaim.RetryLoopOptions.Mode;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The application's own retry loop around a stub: one object for one answer wanted. It is an
 * interceptor of the stub, and so sees its calls:
 *
 * <pre>{@code
 * RetryLoop loop = RetryLoop.start(options);
 * CartBlockingStub stub = CartGrpc.newBlockingStub(channel).withInterceptors(loop);
 * Cart cart = loop.call(() -> stub.get(request));
 * }</pre>
 *
 * <p>Its calls are tied to the inbound call of the context that is current at its start, and end
 * with it. The channel may have a {@link ClaimClientInterceptor} or none. Safe for threads, but one
 * call at a time.
 */
public final class RetryLoop implements ClientInterceptor {
  /** A call on a stub. */
  @FunctionalInterface
  public interface Call<T, E extends Exception> {
    T make() throws E;
  }

  private final RetryLoopOptions options;
  private final Context context = Context.current();
  private final Inbound inbound = Inbound.KEY.get();
  private final Deadline deadline; // or null
  private Outbound current; // the call since the last decision, or null
  private int calls;
  private int attempts;
  private int backoffs = 1; // since the last pushback
  private LoopReason reason; // once it has ended

  private RetryLoop(RetryLoopOptions options) {
    this.options = options;
    Deadline own =
        options.deadline == null
            ? null
            : Deadline.after(options.deadline.toNanos(), TimeUnit.NANOSECONDS);
    deadline = earlier(own, context.getDeadline());
  }

  /** Starts a loop for the inbound call of the current context, if any. */
  public static RetryLoop start(RetryLoopOptions options) {
    return new RetryLoop(options);
  }

  /** Why it ended; empty while it goes on. */
  public synchronized Optional<LoopReason> reason() {
    return Optional.ofNullable(reason);
  }

  /** The attempts of its calls so far, those of gRPC's own retries among them. */
  public synchronized int attempts() {
    return attempts;
  }

  // --- its calls ---------------------------------------------------------------------

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions callOptions, Channel next) {
    Outbound outbound = begin(method);
    if (outbound == null) {
      return next.newCall(method, callOptions);
    }
    CallOptions inner =
        callOptions.withOption(Outbound.KEY, outbound).withStreamTracerFactory(outbound);
    inner = inner.withDeadline(earlier(deadline, inner.getDeadline()));
    Context previous = context.attach();
    try {
      return new OutboundCall<>(next.newCall(method, inner), outbound);
    } finally {
      context.detach(previous);
    }
  }

  private static Deadline earlier(Deadline a, Deadline b) {
    return a == null || b == null ? (a == null ? b : a) : a.minimum(b);
  }

  private synchronized Outbound begin(MethodDescriptor<?, ?> method) {
    if (reason != null) {
      return null;
    }
    calls++;
    boolean owns = options.mode != Mode.OFF;
    boolean streams = !method.getType().serverSendsOneMessage();
    current = new Outbound(method.getFullMethodName(), streams, inbound);
    if (owns) {
      current.own(calls > 1, options.mode == Mode.OBSERVE);
    }
    if (calls == 1 && options.budget != null) {
      options.budget.deposit();
    }
    return current;
  }

  // --- its decision ------------------------------------------------------------------

  /**
   * The call ended with this error, or well where it is null: the wait before the next call, empty
   * where the loop ends, or has ended. For stubs that do not block.
   */
  public synchronized Optional<Duration> next(Throwable error) {
    if (reason != null) {
      return Optional.empty();
    }
    Outbound call = takeCall(error);
    Status.Code code = error == null ? Status.Code.OK : codeOf(error);
    double waitMs = waitMs(call.pushback());
    LoopRule rule = rule(code, call, waitMs);
    LoopReason decided = decide(rule, modeOf(call));
    if (decided != LoopReason.RETRY) {
      end(decided, call, code);
      return Optional.empty();
    }
    backoffs = call.pushback().kind() == Pushback.Kind.WAIT ? 1 : backoffs + 1;
    if (options.budget != null) {
      options.budget.withdraw();
    }
    return Optional.of(Duration.ofNanos((long) (waitMs * 1e6)));
  }

  /** The call as it was seen; where the stub is without the loop, as its error tells it. */
  private Outbound takeCall(Throwable error) {
    Outbound call = current;
    current = null;
    if (call == null) {
      calls++;
      call = new Outbound("", false, null);
    }
    if (call.code() == null && error != null) {
      Metadata trailers = Status.trailersFromThrowable(error);
      call.end(Status.fromThrowable(error), trailers == null ? new Metadata() : trailers);
    }
    attempts += Math.max(1, call.attempts());
    return call;
  }

  private Mode modeOf(Outbound call) {
    boolean observes = options.mode == Mode.ENFORCE && call.observes();
    return observes ? Mode.OBSERVE : options.mode;
  }

  private LoopRule rule(Status.Code code, Outbound call, double waitMs) {
    return new LoopRule(
        code == Status.Code.OK,
        code == Status.Code.CANCELLED || isCancelled(),
        code != null && options.retryableCodes.contains(code),
        call.isCommitted(),
        calls < options.maxAttempts,
        deadline == null || waitMs * 1e6 < deadline.timeRemaining(TimeUnit.NANOSECONDS),
        call.claim(),
        options.budget != null && options.budget.isEmpty(),
        options.chainStop && inbound != null && inbound.isMarked(),
        attempts < options.maxAttempts,
        call.pushback().kind() == Pushback.Kind.STOP);
  }

  private LoopReason decide(LoopRule rule, Mode mode) {
    LoopReason said = rule.reason(mode != Mode.OFF);
    LoopReason inForce = rule.reason(mode == Mode.ENFORCE);
    options.onDecision.accept(said);
    if (said != inForce && inForce != LoopReason.RETRY) {
      options.onDecision.accept(inForce);
    }
    return inForce;
  }

  /** Ends, and tells the inbound call: a loop with two calls or more is a retry policy. */
  private void end(LoopReason why, Outbound call, Status.Code code) {
    reason = why;
    if (inbound != null && options.mode != Mode.OFF && code != Status.Code.OK) {
      boolean heldBack = options.maxAttempts > 1 && why.isHeldBack();
      inbound.noteLoop(call.path(), code, attempts, heldBack);
    }
  }

  /** Ends while it waits. */
  synchronized void cancel() {
    if (reason == null) {
      reason = LoopReason.CANCELLED;
      options.onDecision.accept(reason);
    }
  }

  private double waitMs(Pushback pushback) {
    return pushback.kind() == Pushback.Kind.WAIT
        ? pushback.waitMs()
        : options.backoff.waitMs(backoffs, ThreadLocalRandom.current().nextDouble());
  }

  /** A context whose deadline is over counts as cancelled in gRPC; here it has run out of time. */
  private boolean isCancelled() {
    Deadline end = context.getDeadline();
    return context.isCancelled() && (end == null || !end.isExpired());
  }

  /** The status of a call's error; null where it is none of a call. */
  private static Status.Code codeOf(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof StatusRuntimeException || cause instanceof StatusException) {
        return Status.fromThrowable(cause).getCode();
      }
    }
    return null;
  }

  // --- its forms ---------------------------------------------------------------------

  /**
   * Makes calls until one ends well or the loop ends: for blocking stubs. Throws what the last one
   * threw; FAILED_PRECONDITION where the loop had ended before.
   */
  public <T, E extends Exception> T call(Call<T, E> call) throws E {
    if (reason().isPresent()) {
      throw overError();
    }
    while (true) {
      try {
        T answer = call.make();
        next(null);
        return answer;
      } catch (Exception e) {
        Optional<Duration> wait = next(e);
        if (wait.isEmpty() || !waited(wait.get())) {
          throw e;
        }
      }
    }
  }

  /** Waits; false where the inbound call is cancelled or the thread interrupted meanwhile. */
  private boolean waited(Duration wait) {
    CountDownLatch cancelled = new CountDownLatch(1);
    Context.CancellationListener listener = ended -> cancelled.countDown();
    context.addListener(listener, MoreExecutors.directExecutor());
    try {
      if (!cancelled.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      context.removeListener(listener);
    }
    cancel();
    return false;
  }

  /**
   * Makes calls until one ends well or the loop ends: for stubs with futures. What it returns fails
   * as the last call did; with FAILED_PRECONDITION where the loop had ended before. Cancelling it
   * ends the loop.
   */
  public <T> CompletableFuture<T> callAsync(
      Supplier<ListenableFuture<T>> call, ScheduledExecutorService scheduler) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (reason().isPresent()) {
      answer.completeExceptionally(overError());
    } else {
      new AsyncLoop<>(this, context, call, scheduler, answer).make();
    }
    return answer;
  }

  /** What a loop answers that is used after its end. */
  private StatusRuntimeException overError() {
    return Status.FAILED_PRECONDITION
        .withDescription("this retry loop has ended (" + reason.word() + "): start another")
        .asRuntimeException();
  }
}
