// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** A retry loop over calls whose answers are futures. */
final class AsyncLoop<T> implements FutureCallback<T> {
  private final RetryLoop loop;
  private final Context context;
  private final Supplier<ListenableFuture<T>> call;
  private final ScheduledExecutorService scheduler;
  private final CompletableFuture<T> answer;
  private volatile Future<?> pending; // a call, or a wait

  AsyncLoop(
      RetryLoop loop,
      Context context,
      Supplier<ListenableFuture<T>> call,
      ScheduledExecutorService scheduler,
      CompletableFuture<T> answer) {
    this.loop = loop;
    this.context = context;
    this.call = call;
    this.scheduler = scheduler;
    this.answer = answer;
    answer.whenComplete((value, error) -> stopIfCancelled());
  }

  void make() {
    try {
      ListenableFuture<T> made = call.get();
      pending = made;
      Futures.addCallback(made, this, MoreExecutors.directExecutor());
    } catch (RuntimeException e) {
      onFailure(e);
    }
    stopIfCancelled();
  }

  @Override
  public void onSuccess(T value) {
    loop.next(null);
    answer.complete(value);
  }

  @Override
  public void onFailure(Throwable error) {
    Optional<Duration> wait = loop.next(error);
    if (wait.isEmpty()) {
      answer.completeExceptionally(error);
      return;
    }
    try {
      waitAndMake(wait.get(), error);
    } catch (RejectedExecutionException e) {
      loop.cancel();
      answer.completeExceptionally(error);
    }
  }

  /** Whichever comes first: the end of the wait, or that of the inbound call. */
  private void waitAndMake(Duration wait, Throwable error) {
    AtomicBoolean over = new AtomicBoolean();
    Context.CancellationListener cancelled =
        ended -> {
          if (over.compareAndSet(false, true)) {
            loop.cancel();
            answer.completeExceptionally(error);
          }
        };
    pending =
        scheduler.schedule(
            () -> {
              context.removeListener(cancelled);
              if (over.compareAndSet(false, true) && !answer.isDone()) {
                make();
              }
            },
            wait.toNanos(),
            TimeUnit.NANOSECONDS);
    context.addListener(cancelled, MoreExecutors.directExecutor());
  }

  private void stopIfCancelled() {
    Future<?> last = pending;
    if (answer.isCancelled() && last != null) {
      loop.cancel();
      last.cancel(true);
    }
  }
}
