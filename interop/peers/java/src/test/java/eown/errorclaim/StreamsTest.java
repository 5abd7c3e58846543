// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import static eown.errorclaim.TestNet.REPLY;
import static eown.errorclaim.TestNet.REQUEST;
import static eown.errorclaim.TestNet.metadata;
import static eown.errorclaim.TestNet.method;
import static eown.errorclaim.TestNet.twoAttempts;
import static org.junit.jupiter.api.Assertions.assertEquals;

import eown.errorclaim.TestNet.Callee;
import eown.errorclaim.TestNet.End;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All four forms of calls, before and after a part of the answer. */
class StreamsTest {
  private final TestNet net = new TestNet();

  @AfterEach
  void close() throws InterruptedException {
    net.close();
  }

  /** How a call of any form ended, and the messages before. */
  record Answer(End end, int messages) {}

  /** A handler of this form, which runs once all requests are there and may send a reply before. */
  interface Body {
    void run(StreamObserver<CallReply> answer);
  }

  static ServerCallHandler<CallRequest, CallReply> handler(MethodType type, Body body) {
    return switch (type) {
      case UNARY -> ServerCalls.asyncUnaryCall((request, answer) -> body.run(answer));
      case SERVER_STREAMING ->
          ServerCalls.asyncServerStreamingCall((request, answer) -> body.run(answer));
      case CLIENT_STREAMING ->
          ServerCalls.asyncClientStreamingCall(answer -> atTheEnd(() -> body.run(answer)));
      default -> ServerCalls.asyncBidiStreamingCall(answer -> atTheEnd(() -> body.run(answer)));
    };
  }

  private static StreamObserver<CallRequest> atTheEnd(Runnable run) {
    return new StreamObserver<>() {
      @Override
      public void onNext(CallRequest request) {}

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        run.run();
      }
    };
  }

  static CompletableFuture<Answer> start(Channel channel, MethodType type, String path) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
    ClientCall<CallRequest, CallReply> call = channel.newCall(method(type, path), options);
    Collector answer = new Collector();
    switch (type) {
      case UNARY -> ClientCalls.asyncUnaryCall(call, REQUEST, answer);
      case SERVER_STREAMING -> ClientCalls.asyncServerStreamingCall(call, REQUEST, answer);
      case CLIENT_STREAMING -> send(ClientCalls.asyncClientStreamingCall(call, answer));
      default -> send(ClientCalls.asyncBidiStreamingCall(call, answer));
    }
    return answer.answer;
  }

  private static void send(StreamObserver<CallRequest> requests) {
    requests.onNext(REQUEST);
    requests.onNext(REQUEST);
    requests.onCompleted();
  }

  static final class Collector implements StreamObserver<CallReply> {
    final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private int messages;

    @Override
    public void onNext(CallReply reply) {
      messages++;
    }

    @Override
    public void onError(Throwable error) {
      answer.complete(new Answer(TestNet.end(error), messages));
    }

    @Override
    public void onCompleted() {
      answer.complete(new Answer(new End(Status.OK, new Metadata()), messages));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UNARY,0", "CLIENT_STREAMING,0", "SERVER_STREAMING,0", "SERVER_STREAMING,1",
    "BIDI_STREAMING,0", "BIDI_STREAMING,1"
  })
  void anyFormPassesOnWhoseErrorItIs(MethodType type, int before) throws Exception {
    Callee d = net.new Callee();
    d.port =
        net.serve(
            type,
            "D/Call",
            handler(
                type,
                answer -> {
                  d.see();
                  for (int i = 0; i < before; i++) {
                    answer.onNext(REPLY);
                  }
                  answer.onError(Status.UNAVAILABLE.withDescription("gone").asException());
                }),
            null);
    Channel toD = net.client(d.port, twoAttempts().build());
    int c =
        net.serve(
            type,
            "C/Call",
            handler(
                type,
                answer ->
                    start(toD, type, "D/Call")
                        .thenAccept(
                            got -> {
                              for (int i = 0; i < got.messages(); i++) {
                                answer.onNext(REPLY);
                              }
                              Metadata copied = metadata("error-claim", "claimed");
                              answer.onError(got.end().status().asException(copied));
                            })),
            ClaimServerInterceptor.newBuilder().build());
    Answer got = start(net.stock(c, 4, "UNAVAILABLE"), type, "C/Call").get(20, TimeUnit.SECONDS);
    assertEquals(before, got.messages());
    assertEquals("gone", got.end().status().getDescription());
    assertEquals("unclaimed", got.end().claim());
    assertEquals("-1", got.end().pushback());
    assertEquals("D", got.end().detail().getOwnerService());
    // After a part of the answer gRPC is committed; the policy covers the status all the same.
    assertEquals(before == 0 ? List.of("", "1") : List.of(""), d.marks);
    assertEquals(before == 0 ? 2 : 1, got.end().detail().getAttempts());
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,0"})
  void aStopIsCountedWhereGrpcWouldHaveRetried(int before, int stops) throws Exception {
    AtomicInteger stopped = new AtomicInteger();
    int d =
        net.serve(
            MethodType.SERVER_STREAMING,
            "D/Call",
            handler(
                MethodType.SERVER_STREAMING,
                answer -> {
                  for (int i = 0; i < before; i++) {
                    answer.onNext(REPLY);
                  }
                  Metadata unclaimed = metadata("error-claim", "unclaimed");
                  answer.onError(Status.UNAVAILABLE.asException(unclaimed));
                }),
            null);
    ClaimClientInterceptor interceptor =
        twoAttempts().onStopped(stopped::incrementAndGet).build();
    start(net.client(d, interceptor), MethodType.SERVER_STREAMING, "D/Call")
        .get(20, TimeUnit.SECONDS);
    assertEquals(stops, stopped.get());
  }
}
