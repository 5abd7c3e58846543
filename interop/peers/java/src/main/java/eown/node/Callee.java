// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import eown.errorclaim.ClaimClientInterceptor;
import eown.errorclaim.RetryLoop;
import eown.errorclaim.RetryLoopOptions;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** One callee of a node: its channel, and how it is called. */
final class Callee {
  private final Options options;
  private final Options.Callee callee;
  private final int number;
  private final Counts counts;
  private final MethodDescriptor<CallRequest, CallReply> method;
  private final RetryLoopOptions loop;
  private final ManagedChannel channel;

  Callee(Options options, int number, Counts counts, Transport transport) {
    this.options = options;
    this.number = number;
    this.counts = counts;
    callee = options.callees.get(number);
    method = Methods.call(callee.name());
    loop = loopOptions();
    channel = open(transport);
  }

  Options.Callee callee() {
    return callee;
  }

  void close() {
    channel.shutdownNow();
  }

  private ManagedChannel open(Transport transport) {
    var builder = transport.channel(callee.target());
    if (options.owned()) {
      return ClaimClientInterceptor.newBuilder()
          .serviceConfig(config())
          .failOpen(callee.failOpen())
          .observe(options.ownership.equals("observe"))
          .onStopped(counts::stopped)
          .build()
          .configure(builder)
          .build();
    } else if (options.hasPolicy()) {
      builder.defaultServiceConfig(config()).enableRetry().maxRetryAttempts(options.attempts);
    }
    return builder.build();
  }

  /** The service config with the retry policy, if any. */
  private Map<String, ?> config() {
    if (!options.hasPolicy()) {
      return Map.of();
    }
    Map<String, ?> policy =
        Map.of(
            "maxAttempts",
            (double) options.attempts,
            "initialBackoff",
            "0.001s",
            "maxBackoff",
            "0.002s",
            "backoffMultiplier",
            1.0,
            "retryableStatusCodes",
            options.retryCodes.stream().map(Status.Code::name).toList());
    return Map.of(
        "methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy)));
  }

  private RetryLoopOptions loopOptions() {
    String mode = options.owned() ? options.ownership : "off";
    return RetryLoopOptions.newBuilder()
        .maxAttempts(options.attempts)
        .retryableCodes(options.retryCodes)
        .initialBackoff(Duration.ofNanos(1_500_000)) // 1.2 to 1.8 ms
        .maxBackoff(Duration.ofNanos(1_500_000))
        .backoffMultiplier(1)
        .mode(RetryLoopOptions.Mode.valueOf(mode.toUpperCase(Locale.ROOT)))
        .onDecision(counts::decided)
        .build();
  }

  /** Calls it for the inbound call of the current context, with retries. */
  CallReply call(CallRequest request, Deadline deadline) {
    if (!options.hasLoop()) {
      return callOnce(channel, request, deadline);
    } else if (options.ownership.equals("stock")) {
      return callInPlainLoop(request, deadline);
    }
    RetryLoop retries = RetryLoop.start(loop);
    Channel seen = ClientInterceptors.intercept(channel, retries);
    return retries.call(() -> callOnce(seen, request, deadline));
  }

  private CallReply callOnce(Channel on, CallRequest request, Deadline deadline) {
    counts.called(number);
    try {
      return ClientCalls.blockingUnaryCall(
          on, method, CallOptions.DEFAULT.withDeadline(deadline), request);
    } catch (StatusRuntimeException e) {
      counts.failed(number, e.getTrailers());
      throw e;
    }
  }

  /** A loop as people write them: it looks at the status and the number of calls alone. */
  private CallReply callInPlainLoop(CallRequest request, Deadline deadline) {
    for (int calls = 1; ; calls++) {
      try {
        return callOnce(channel, request, deadline);
      } catch (StatusRuntimeException e) {
        boolean retryable = options.retryCodes.contains(e.getStatus().getCode());
        if (!retryable || calls >= options.attempts) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(1, ThreadLocalRandom.current().nextInt(1_000_000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
