// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers and clients on loopback, and what tests ask of them. */
final class TestNet implements AutoCloseable {
  static final CallRequest REQUEST = CallRequest.getDefaultInstance();
  static final CallReply REPLY = CallReply.newBuilder().setNode("fine").build();
  private static final Context.Key<Metadata> HEADERS = Context.key("headers");

  /** A unary method: answers by returning, fails by throwing. */
  interface Handler {
    void handle(CallRequest request) throws StatusException;
  }

  /** How a call ended. */
  record End(Status status, Metadata trailers) {
    Status.Code code() {
      return status.getCode();
    }

    String claim() {
      return text(trailers, "error-claim");
    }

    String pushback() {
      return text(trailers, "grpc-retry-pushback-ms");
    }

    ErrorClaim detail() {
      List<byte[]> details = Keys.values(trailers, Keys.DETAIL);
      return details.size() == 1 ? Detail.read(details.get(0)) : null;
    }

    ErrorClaim.Reason reason() {
      return detail().getReason();
    }
  }

  /** A callee that knows nothing of the protocol, and what it saw. */
  final class Callee {
    final AtomicInteger served = new AtomicInteger();
    final List<String> marks = new CopyOnWriteArrayList<>();
    volatile Metadata headers;
    int port;

    void see() {
      headers = HEADERS.get();
      marks.add(text(headers, "error-claim-retry"));
      served.incrementAndGet();
    }
  }

  private final List<Server> servers = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @Override
  public void close() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(Server::shutdownNow);
    for (Server server : servers) {
      server.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  // --- metadata ----------------------------------------------------------------------

  static Metadata metadata(String... words) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < words.length; i += 2) {
      if (words[i].endsWith("-bin")) {
        metadata.put(Keys.DETAIL, words[i + 1].getBytes(java.nio.charset.StandardCharsets.UTF_8));
      } else {
        metadata.put(Keys.text(words[i]), words[i + 1]);
      }
    }
    return metadata;
  }

  /** The values of a key, with | between them. */
  static String text(Metadata metadata, String key) {
    return String.join("|", Keys.values(metadata, Keys.text(key)));
  }

  /** The request metadata of the call that is handled. */
  static Metadata headers() {
    return HEADERS.get();
  }

  // --- servers -----------------------------------------------------------------------

  static MethodDescriptor<CallRequest, CallReply> method(MethodType type, String path) {
    return MethodDescriptor.<CallRequest, CallReply>newBuilder()
        .setType(type)
        .setFullMethodName(path)
        .setRequestMarshaller(ProtoLiteUtils.marshaller(REQUEST))
        .setResponseMarshaller(ProtoLiteUtils.marshaller(REPLY))
        .build();
  }

  static ServerCallHandler<CallRequest, CallReply> unary(Handler handler) {
    return ServerCalls.asyncUnaryCall(
        (request, answer) -> {
          try {
            handler.handle(request);
            answer.onNext(REPLY);
            answer.onCompleted();
          } catch (StatusException e) {
            answer.onError(e);
          }
        });
  }

  /** Serves one method, and returns the port. */
  int serve(
      MethodType type,
      String path,
      ServerCallHandler<CallRequest, CallReply> handler,
      ServerInterceptor interceptor)
      throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(
                ServerServiceDefinition.builder(path.substring(0, path.indexOf('/')))
                    .addMethod(method(type, path), handler)
                    .build())
            .intercept(new SeeHeaders());
    if (interceptor != null) {
      builder.intercept(interceptor);
    }
    Server server = builder.build().start();
    servers.add(server);
    return server.getPort();
  }

  int serve(String path, Handler handler, ServerInterceptor interceptor) throws IOException {
    return serve(MethodType.UNARY, path, unary(handler), interceptor);
  }

  private static final class SeeHeaders implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Context context = Context.current().withValue(HEADERS, headers);
      return Contexts.interceptCall(context, call, headers, next);
    }
  }

  /** D/Call, which fails the first so many times, with this status and these trailers. */
  Callee failing(int times, Status.Code code, String... trailers) throws IOException {
    Callee callee = new Callee();
    callee.port =
        serve(
            "D/Call",
            request -> {
              callee.see();
              if (callee.served.get() <= times) {
                throw code.toStatus().withDescription("gone").asException(metadata(trailers));
              }
            },
            null);
    return callee;
  }

  Callee failing(Status.Code code, String... trailers) throws IOException {
    return failing(Integer.MAX_VALUE, code, trailers);
  }

  /** C/Call, which passes on what D answers, with its trailers, as a careless handler does. */
  Callee passing(Channel toD, ServerInterceptor interceptor) throws IOException {
    Callee callee = new Callee();
    callee.port =
        serve(
            "C/Call",
            request -> {
              callee.see();
              passOn(invoke(toD, "D/Call"));
            },
            interceptor);
    return callee;
  }

  static void passOn(End end) throws StatusException {
    if (!end.status.isOk()) {
      throw end.status.asException(end.trailers);
    }
  }

  // --- clients -----------------------------------------------------------------------

  NettyChannelBuilder builder(int port) {
    return NettyChannelBuilder.forAddress(new InetSocketAddress("127.0.0.1", port)).usePlaintext();
  }

  ManagedChannel open(NettyChannelBuilder builder) {
    ManagedChannel channel = builder.build();
    channels.add(channel);
    return channel;
  }

  /** A channel without retries and interceptors. */
  ManagedChannel plain(int port) {
    return open(builder(port));
  }

  /** A client with a retry policy that knows nothing of the protocol. */
  ManagedChannel stock(int port, int attempts, String... codes) {
    return open(
        builder(port)
            .defaultServiceConfig(config(attempts, codes))
            .enableRetry()
            .maxRetryAttempts(attempts));
  }

  ManagedChannel client(int port, ClaimClientInterceptor interceptor) {
    return open(interceptor.configure(builder(port)));
  }

  static Map<String, ?> config(int attempts, String... codes) {
    Map<String, ?> policy =
        Map.of(
            "maxAttempts", (double) attempts,
            "initialBackoff", "0.001s",
            "maxBackoff", "0.002s",
            "backoffMultiplier", 1.0,
            "retryableStatusCodes", List.of(codes));
    return Map.of(
        "methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", policy)));
  }

  static ClaimClientInterceptor.Builder twoAttempts() {
    return ClaimClientInterceptor.newBuilder().serviceConfig(config(2, "UNAVAILABLE"));
  }

  /** A unary call, with these words as request metadata. */
  static End invoke(Channel channel, String path, String... words) {
    return invoke(channel, path, REQUEST, metadata(words));
  }

  static End invoke(Channel channel, String path, CallRequest request, Metadata headers) {
    Channel seen =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    try {
      call(seen, path, request);
      return new End(Status.OK, new Metadata());
    } catch (StatusRuntimeException e) {
      return end(e);
    }
  }

  static CallReply call(Channel channel, String path, CallRequest request) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
    return ClientCalls.blockingUnaryCall(
        channel, method(MethodType.UNARY, path), options, request);
  }

  static End end(Throwable error) {
    Metadata trailers = Status.trailersFromThrowable(error);
    return new End(Status.fromThrowable(error), trailers == null ? new Metadata() : trailers);
  }
}
