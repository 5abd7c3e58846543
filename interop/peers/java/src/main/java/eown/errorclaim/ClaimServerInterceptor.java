// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.errorclaim.Inbound.Word;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.List;
import java.util.function.Consumer;

/**
 * Says of each error that a server sends whose it is. It has to be the outermost interceptor of
 * those that set trailers: the last one given to {@code ServerBuilder.intercept}.
 */
public final class ClaimServerInterceptor implements ServerInterceptor {
  private final String service;
  private final Metadata.Key<String> alias;
  private final boolean observe;
  private final boolean trustBoundary;
  private final Consumer<Claim> onSent;

  private ClaimServerInterceptor(Builder builder) {
    service = builder.service;
    alias = Keys.alias(builder.alias);
    observe = builder.observe;
    trustBoundary = builder.trustBoundary;
    onSent = builder.onSent;
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Inbound inbound = new Inbound(call.getMethodDescriptor().getFullMethodName(), marks(headers));
    Keys.removeClaim(headers, alias);
    if (trustBoundary) {
      headers.discardAll(Keys.MARK);
    }
    AnsweringCall<Q, A> answering = new AnsweringCall<>(call, inbound);
    Context context = Context.current().withValue(Inbound.KEY, inbound);
    try {
      return new CatchingListener<>(
          Contexts.interceptCall(context, answering, headers, next), answering);
    } catch (RuntimeException | Error e) {
      answering.fail(e);
      throw e;
    }
  }

  private boolean marks(Metadata headers) {
    if (trustBoundary) {
      return false;
    }
    return Rules.isMark(Keys.values(headers, Keys.MARK))
        || Keys.values(headers, Keys.PREVIOUS_ATTEMPTS).stream()
            .anyMatch(value -> value.matches("0*[1-9][0-9]*"));
  }

  /** The trailers to leave in place of the handler's own, which may be shared: a copy. */
  private Metadata answer(Inbound inbound, Status status, Metadata own) {
    Metadata trailers = withoutCopies(own);
    if (status.isOk() || trustBoundary) {
      return trailers;
    }
    Word word = inbound.decide(status.getCode(), service);
    trailers.put(Keys.CLAIM, word.claim().word());
    trailers.put(Keys.DETAIL, word.detail().toByteArray());
    if (alias != null) {
      trailers.put(alias, word.claim().word());
    }
    if (word.claim() == Claim.UNCLAIMED && !observe) {
      Keys.set(trailers, Keys.PUSHBACK, List.of("-1"));
    }
    onSent.accept(word.claim());
    return trailers;
  }

  /**
   * Without what the handler copied from a callee: claim keys, and a pushback that says no and came
   * with them.
   */
  private Metadata withoutCopies(Metadata own) {
    Metadata copy = new Metadata();
    copy.merge(own);
    if (Keys.hasClaim(copy, alias)) {
      List<String> pushback = Keys.values(copy, Keys.PUSHBACK);
      pushback.removeIf(Pushback::saysNo);
      Keys.set(copy, Keys.PUSHBACK, pushback);
      Keys.removeClaim(copy, alias);
    }
    return copy;
  }

  private final class AnsweringCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private final Inbound inbound;
    private boolean closed;

    AnsweringCall(ServerCall<Q, A> call, Inbound inbound) {
      super(call);
      this.inbound = inbound;
    }

    @Override
    public void sendHeaders(Metadata headers) {
      super.sendHeaders(withoutCopies(headers));
    }

    @Override
    public void close(Status status, Metadata trailers) {
      closed = true;
      super.close(status, answer(inbound, status, trailers));
    }

    /** What grpc-java does of itself after a handler's exception, but with a claim. */
    void fail(Throwable cause) {
      if (!closed) {
        Status status = Status.UNKNOWN.withDescription("Application error processing RPC");
        close(status.withCause(cause), new Metadata());
      }
    }
  }

  /** Answers exceptions of the handler, which would leave past the interceptor. */
  private final class CatchingListener<Q> extends SimpleForwardingServerCallListener<Q> {
    private final AnsweringCall<Q, ?> call;

    CatchingListener(ServerCall.Listener<Q> listener, AnsweringCall<Q, ?> call) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      guard(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      guard(super::onHalfClose);
    }

    @Override
    public void onReady() {
      guard(super::onReady);
    }

    private void guard(Runnable callback) {
      try {
        callback.run();
      } catch (RuntimeException | Error e) {
        call.fail(e);
        throw e;
      }
    }
  }

  /** The settings of a server. */
  public static final class Builder {
    private String service = "";
    private String alias = "";
    private boolean observe;
    private boolean trustBoundary;
    private Consumer<Claim> onSent = claim -> {};

    private Builder() {}

    /** The name to own errors under, if not the service of the method. */
    public Builder service(String name) {
      service = name;
      return this;
    }

    /** A second key that carries the claim. */
    public Builder alias(String key) {
      alias = key;
      return this;
    }

    /** Sends claims, but no pushback. */
    public Builder observe(boolean observes) {
      observe = observes;
      return this;
    }

    /** Believes and sends nothing of the protocol. */
    public Builder trustBoundary(boolean boundary) {
      trustBoundary = boundary;
      return this;
    }

    /** Told each claim that is sent. */
    public Builder onSent(Consumer<Claim> listener) {
      onSent = listener;
      return this;
    }

    public ClaimServerInterceptor build() {
      return new ClaimServerInterceptor(this);
    }
  }
}
