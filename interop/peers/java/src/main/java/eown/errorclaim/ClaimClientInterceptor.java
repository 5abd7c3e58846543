// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notes for each inbound call, the current one of the context, how the calls made for it on this
 * channel ended, marks its retries, and stops gRPC's retries of unclaimed errors.
 */
public final class ClaimClientInterceptor implements ClientInterceptor {
  private final Map<String, ?> config;
  private final ServiceConfig policies;
  private final ClientSettings settings;
  private final Map<String, Optional<ServiceConfig.Policy>> known = new ConcurrentHashMap<>();

  private ClaimClientInterceptor(Builder builder) {
    config = builder.config;
    policies = new ServiceConfig(config);
    settings =
        new ClientSettings(
            builder.failOpen,
            Keys.alias(builder.alias),
            builder.trustBoundary,
            builder.observe,
            builder.onStopped);
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /**
   * Gives the channel the interceptor and, where there is one, the service config. Its policies are
   * taken at their word: grpc-java cuts them to 5 attempts by itself.
   */
  public <T extends ManagedChannelBuilder<T>> T configure(T channel) {
    channel.intercept(this);
    if (!config.isEmpty()) {
      channel.defaultServiceConfig(config).enableRetry();
    }
    if (policies.maxAttempts() > 1) {
      channel.maxRetryAttempts(policies.maxAttempts());
    }
    return channel;
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    Outbound outbound = options.getOption(Outbound.KEY);
    CallOptions inner = options;
    if (outbound == null) {
      boolean streams = !method.getType().serverSendsOneMessage();
      outbound = new Outbound(method.getFullMethodName(), streams, Inbound.KEY.get());
      inner = options.withStreamTracerFactory(outbound);
    }
    outbound.adopt(settings, policyFor(method.getFullMethodName()));
    return new OutboundCall<>(next.newCall(method, inner), outbound);
  }

  private ServiceConfig.Policy policyFor(String path) {
    return known
        .computeIfAbsent(path, key -> Optional.ofNullable(policies.policyFor(key)))
        .orElse(null);
  }

  /** The settings of a channel. */
  public static final class Builder {
    private Map<String, ?> config = Map.of();
    private String alias = "";
    private boolean failOpen;
    private boolean trustBoundary;
    private boolean observe;
    private Runnable onStopped = () -> {};

    private Builder() {}

    /** The service config of the channel, as {@code defaultServiceConfig} takes it. */
    public Builder serviceConfig(Map<String, ?> serviceConfig) {
      config = Map.copyOf(serviceConfig);
      return this;
    }

    /** The service carries on without this callee. */
    public Builder failOpen(boolean open) {
      failOpen = open;
      return this;
    }

    /** A second key that carries the claim. */
    public Builder alias(String key) {
      alias = key;
      return this;
    }

    /** Believes and sends nothing of the protocol, nor what the application forwards of it. */
    public Builder trustBoundary(boolean boundary) {
      trustBoundary = boundary;
      return this;
    }

    /** Stops no retry, but counts what it would stop. */
    public Builder observe(boolean observes) {
      observe = observes;
      return this;
    }

    /** Told of each of gRPC's retries that an unclaimed error stopped. */
    public Builder onStopped(Runnable listener) {
      onStopped = listener;
      return this;
    }

    /**
     * @throws IllegalArgumentException where the service config or the alias is bad
     */
    public ClaimClientInterceptor build() {
      return new ClaimClientInterceptor(this);
    }
  }
}
