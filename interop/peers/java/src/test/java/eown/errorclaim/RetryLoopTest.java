// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import static eown.errorclaim.TestNet.REQUEST;
import static eown.errorclaim.TestNet.call;
import static eown.errorclaim.TestNet.config;
import static eown.errorclaim.TestNet.invoke;
import static eown.errorclaim.TestNet.twoAttempts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import eown.errorclaim.RetryLoopOptions.Mode;
import eown.errorclaim.TestNet.Callee;
import eown.errorclaim.TestNet.End;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryLoopTest {
  private static final ScheduledExecutorService SCHEDULER =
      Executors.newSingleThreadScheduledExecutor();
  private static final Duration NEVER = Duration.ofHours(1); // no test waits so long

  private final TestNet net = new TestNet();
  private final List<LoopReason> decided = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    net.close();
  }

  @AfterAll
  static void shutdown() {
    SCHEDULER.shutdownNow();
  }

  private RetryLoopOptions.Builder options() {
    return RetryLoopOptions.newBuilder()
        .initialBackoff(Duration.ofMillis(1))
        .maxBackoff(Duration.ofMillis(1))
        .onDecision(decided::add);
  }

  /** A channel with the interceptor or without. */
  private ManagedChannel channel(boolean intercepted, int port) {
    return intercepted
        ? net.client(port, ClaimClientInterceptor.newBuilder().build())
        : net.plain(port);
  }

  private static CallReply run(RetryLoop loop, Channel channel) {
    Channel seen = ClientInterceptors.intercept(channel, loop);
    return loop.call(() -> call(seen, "D/Call", REQUEST));
  }

  private static End failureOf(RetryLoop loop, Channel channel) {
    return TestNet.end(
        assertThrows(StatusRuntimeException.class, () -> run(loop, channel)));
  }

  /** C/Call, whose handler answers what this loop ends with. */
  private Callee looping(Channel toD, RetryLoopOptions options) throws Exception {
    Callee c = net.new Callee();
    c.port =
        net.serve(
            "C/Call",
            request -> {
              c.see();
              RetryLoop loop = RetryLoop.start(options);
              try {
                run(loop, toD);
              } catch (StatusRuntimeException e) {
                throw new StatusException(e.getStatus(), e.getTrailers());
              }
            },
            ClaimServerInterceptor.newBuilder().build());
    return c;
  }

  private End endOf(Callee c, String... words) {
    return invoke(net.plain(c.port), "C/Call", words);
  }

  // --- the reasons -------------------------------------------------------------------

  @Test
  void okAfterARetry() throws Exception {
    Callee d = net.failing(1, Code.UNAVAILABLE);
    RetryLoop loop = RetryLoop.start(options().build());
    assertEquals("fine", run(loop, net.plain(d.port)).getNode());
    assertEquals(List.of(LoopReason.RETRY, LoopReason.OK), decided);
    assertEquals(2, loop.attempts());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attemptsAreTheMaximum(boolean intercepted) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Callee c = looping(channel(intercepted, d.port), options().build());
    End end = endOf(c);
    assertEquals(List.of("", "1", "1"), d.marks);
    assertEquals(List.of(LoopReason.RETRY, LoopReason.RETRY, LoopReason.ATTEMPTS), decided);
    assertEquals("unclaimed", end.claim());
    assertEquals(Reason.PROPAGATED, end.reason());
    assertEquals("D", end.detail().getOwnerService());
    assertEquals(3, end.detail().getAttempts());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStatusThatIsNotListedIsLeftToTheCaller(boolean intercepted) throws Exception {
    Callee d = net.failing(Code.INTERNAL);
    End end = endOf(looping(channel(intercepted, d.port), options().build()));
    assertEquals(List.of(LoopReason.STATUS), decided);
    assertEquals(1, d.served.get());
    assertEquals(Reason.AT_LEAST_ONCE, end.reason());
  }

  @Test
  void oneCallIsNoPolicy() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    End end = endOf(looping(net.plain(d.port), options().maxAttempts(1).build()));
    assertEquals(List.of(LoopReason.ATTEMPTS), decided);
    assertEquals(Reason.AT_LEAST_ONCE, end.reason());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUnclaimedErrorEndsIt(boolean intercepted) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    Channel toD = channel(intercepted, d.port);
    RetryLoop loop = RetryLoop.start(options().build());
    End end = failureOf(loop, toD);
    assertEquals(1, d.served.get());
    assertEquals(Optional.of(LoopReason.UNCLAIMED), loop.reason());
    assertEquals("", end.pushback()); // the application sees what the callee sent
    assertEquals("unclaimed", endOf(looping(toD, options().build())).claim());
  }

  @Test
  void aClaimedErrorDoesNot() throws Exception {
    Callee d = net.failing(1, Code.UNAVAILABLE, "error-claim", "claimed");
    run(RetryLoop.start(options().build()), net.plain(d.port));
    assertEquals(2, d.served.get());
  }

  @Test
  void aPushbackIsTheWait() throws Exception {
    Callee d = net.failing(2, Code.UNAVAILABLE, "grpc-retry-pushback-ms", "0");
    run(
        RetryLoop.start(options().initialBackoff(NEVER).maxBackoff(NEVER).build()),
        net.plain(d.port));
    assertEquals(3, d.served.get());
    RetryLoop loop = RetryLoop.start(options().build());
    assertEquals(Optional.of(Duration.ofMillis(1234)), loop.next(error("1234")));
  }

  @Test
  void aPushbackStartsTheBackoffAnew() {
    RetryLoop loop =
        RetryLoop.start(
            options()
                .maxAttempts(9)
                .initialBackoff(Duration.ofMillis(100))
                .maxBackoff(NEVER)
                .backoffMultiplier(100)
                .build());
    assertTrue(loop.next(error(null)).get().toMillis() <= 120);
    assertTrue(loop.next(error(null)).get().toMillis() >= 8000);
    assertEquals(7, loop.next(error("7")).get().toMillis());
    assertTrue(loop.next(error(null)).get().toMillis() <= 120);
  }

  private static StatusRuntimeException error(String pushback) {
    return Status.UNAVAILABLE.asRuntimeException(
        pushback == null
            ? TestNet.metadata()
            : TestNet.metadata("grpc-retry-pushback-ms", pushback));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "soon"})
  void aPushbackThatSaysNoEndsIt(String pushback) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "grpc-retry-pushback-ms", pushback);
    End end = endOf(looping(net.plain(d.port), options().build()));
    assertEquals(List.of(LoopReason.PUSHBACK), decided);
    assertEquals(Reason.PROPAGATED, end.reason());
    assertEquals(1, end.detail().getAttempts());
  }

  @Test
  void aDeadlineShorterThanTheBackoffEndsIt() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    RetryLoopOptions.Builder never = options().initialBackoff(NEVER).maxBackoff(NEVER);
    // The inbound's is 20 s.
    End end = endOf(looping(net.plain(d.port), never.build()));
    assertEquals(List.of(LoopReason.DEADLINE), decided);
    assertEquals(Reason.PROPAGATED, end.reason());
    failureOf(
        RetryLoop.start(never.deadline(Duration.ofMinutes(1)).build()), net.plain(d.port));
    assertEquals(List.of(LoopReason.DEADLINE, LoopReason.DEADLINE), decided);
  }

  @Test
  void itsDeadlineIsThatOfItsCalls() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    int d = net.serve("D/Call", request -> awaitQuietly(over), null);
    RetryLoop loop = RetryLoop.start(options().deadline(Duration.ofMillis(50)).build());
    assertEquals(Code.DEADLINE_EXCEEDED, failureOf(loop, net.plain(d)).code());
    over.countDown();
    assertEquals(List.of(LoopReason.STATUS), decided);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(10, TimeUnit.SECONDS); // less than the deadline of calls
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theInboundsCancellationEndsTheWait() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    CountDownLatch waits = new CountDownLatch(1);
    RetryLoopOptions never =
        options()
            .initialBackoff(NEVER)
            .maxBackoff(NEVER)
            .onDecision(
                reason -> {
                  decided.add(reason);
                  waits.countDown();
                })
            .build();
    Channel toD = net.plain(d.port);
    Context.CancellableContext inbound = Context.ROOT.withCancellation();
    CompletableFuture<RetryLoop> ended =
        CompletableFuture.supplyAsync(
            () -> {
              AtomicReference<RetryLoop> loop = new AtomicReference<>();
              inbound.run(
                  () -> {
                    loop.set(RetryLoop.start(never));
                    failureOf(loop.get(), toD);
                  });
              return loop.get();
            });
    awaitQuietly(waits);
    inbound.cancel(null);
    assertEquals(
        Optional.of(LoopReason.CANCELLED), ended.get(20, TimeUnit.SECONDS).reason());
    assertEquals(List.of(LoopReason.RETRY, LoopReason.CANCELLED), decided);
    assertEquals(1, d.served.get());
  }

  @Test
  void aCallThatIsCancelledEndsIt() throws Exception {
    Callee d = net.failing(Code.CANCELLED);
    failureOf(
        RetryLoop.start(options().retryableCodes(Code.CANCELLED).build()), net.plain(d.port));
    assertEquals(List.of(LoopReason.CANCELLED), decided);
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    RetryLoopOptions never =
        options()
            .initialBackoff(NEVER)
            .maxBackoff(NEVER)
            .onDecision(
                reason -> {
                  decided.add(reason);
                  Thread.currentThread().interrupt();
                })
            .build();
    failureOf(RetryLoop.start(never), net.plain(d.port));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(LoopReason.RETRY, LoopReason.CANCELLED), decided);
  }

  @ParameterizedTest
  @CsvSource({"true,true,CHAIN", "true,false,ATTEMPTS", "false,true,ATTEMPTS"})
  void chainStop(boolean stops, boolean marked, LoopReason expected) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Callee c = looping(net.plain(d.port), options().chainStop(stops).build());
    String[] words = marked ? new String[] {"error-claim-retry", "1"} : new String[0];
    assertEquals(Reason.PROPAGATED, endOf(c, words).reason());
    assertEquals(expected, decided.get(decided.size() - 1));
    assertEquals(marked ? "1" : "", d.marks.get(0));
  }

  @Test
  void anEmptyBudgetEndsIt() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    RetryLoopOptions options =
        options().maxAttempts(2).budget(new RetryBudget(0.5, 1)).build();
    ManagedChannel toD = net.plain(d.port);
    for (int i = 0; i < 3; i++) {
      failureOf(RetryLoop.start(options), toD);
    }
    assertEquals(
        List.of(
            LoopReason.RETRY,
            LoopReason.ATTEMPTS,
            LoopReason.BUDGET, // half a retry
            LoopReason.RETRY,
            LoopReason.ATTEMPTS),
        decided);
    assertThrows(IllegalArgumentException.class, () -> new RetryBudget(Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> new RetryBudget(0.1, 0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theRetriesOfThePolicyBelowCount(boolean intercepted) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    ManagedChannel toD =
        intercepted
            ? net.client(d.port, twoAttempts().build())
            : net.stock(d.port, 2, "UNAVAILABLE");
    End end = endOf(looping(toD, options().maxAttempts(2).build()));
    assertEquals(List.of("", "1"), d.marks);
    assertEquals(List.of(LoopReason.MULTIPLIED), decided);
    assertEquals(Reason.PROPAGATED, end.reason());
    assertEquals(2, end.detail().getAttempts());
    d.marks.clear();
    assertEquals(6, endOf(looping(toD, options().maxAttempts(5).build())).detail().getAttempts());
    assertEquals(List.of("", "1", "1", "1", "1", "1"), d.marks);
  }

  // --- modes -------------------------------------------------------------------------

  @Test
  void observeCountsAndGoesOn() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    RetryLoop loop = RetryLoop.start(options().mode(Mode.OBSERVE).build());
    failureOf(loop, net.stock(d.port, 2, "UNAVAILABLE"));
    assertEquals(6, d.served.get());
    assertEquals(
        List.of(LoopReason.UNCLAIMED, LoopReason.UNCLAIMED, LoopReason.ATTEMPTS), decided);
    assertEquals(Optional.of(LoopReason.ATTEMPTS), loop.reason());
  }

  @Test
  void aLoopObservesOnAChannelThatObserves() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    failureOf(
        RetryLoop.start(options().build()),
        net.client(d.port, ClaimClientInterceptor.newBuilder().observe(true).build()));
    assertEquals(3, d.served.get());
  }

  @Test
  void observeTellsAnEndThatIsNotOwnerships() throws Exception {
    Callee d =
        net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed", "grpc-retry-pushback-ms", "-1");
    failureOf(RetryLoop.start(options().mode(Mode.OBSERVE).build()), net.plain(d.port));
    assertEquals(List.of(LoopReason.UNCLAIMED, LoopReason.PUSHBACK), decided);
  }

  @Test
  void offKnowsNothingOfTheProtocol() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    End end = endOf(looping(net.plain(d.port), options().mode(Mode.OFF).build()));
    assertEquals(List.of("", "", ""), d.marks);
    assertEquals(Reason.OWN, end.reason()); // tied to nothing
  }

  @Test
  void aTrustBoundaryBelievesAndSendsNothing() throws Exception {
    Callee d =
        net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed", "grpc-retry-pushback-ms", "-1");
    failureOf(
        RetryLoop.start(options().build()),
        net.client(d.port, ClaimClientInterceptor.newBuilder().trustBoundary(true).build()));
    assertEquals(List.of("", "", ""), d.marks);
  }

  // --- streams -----------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"0,3,ATTEMPTS", "1,1,COMMITTED"})
  void aStreamIsRetriedUpToItsFirstMessage(int messages, int calls, LoopReason expected)
      throws Exception {
    Callee d = net.new Callee();
    d.port =
        net.serve(
            MethodType.SERVER_STREAMING,
            "D/Call",
            ServerCalls.asyncServerStreamingCall(
                (request, answer) -> {
                  d.see();
                  for (int i = 0; i < messages; i++) {
                    answer.onNext(TestNet.REPLY);
                  }
                  answer.onError(Status.UNAVAILABLE.asException());
                }),
            null);
    RetryLoop loop = RetryLoop.start(options().build());
    Channel seen = ClientInterceptors.intercept(net.plain(d.port), loop);
    assertThrows(StatusRuntimeException.class, () -> loop.call(() -> readAll(seen)));
    assertEquals(calls, d.served.get());
    assertEquals(Optional.of(expected), loop.reason());
  }

  private static int readAll(Channel channel) {
    Iterator<CallReply> replies =
        ClientCalls.blockingServerStreamingCall(
            channel,
            TestNet.method(MethodType.SERVER_STREAMING, "D/Call"),
            CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
            REQUEST);
    int count = 0;
    for (; replies.hasNext(); replies.next()) {
      count++;
    }
    return count;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
  void aLoopOfStubsThatDoNotBlock(MethodType type) throws Exception {
    Callee d = net.new Callee();
    d.port =
        net.serve(
            type,
            "D/Call",
            StreamsTest.handler(
                type,
                answer -> {
                  d.see();
                  answer.onError(Status.UNAVAILABLE.asException());
                }),
            null);
    RetryLoop loop = RetryLoop.start(options().build());
    Channel seen = ClientInterceptors.intercept(net.plain(d.port), loop);
    Optional<Duration> wait;
    do {
      End end = StreamsTest.start(seen, type, "D/Call").get(20, TimeUnit.SECONDS).end();
      wait = loop.next(end.status().asException(end.trailers()));
    } while (wait.isPresent());
    assertEquals(List.of("", "1", "1"), d.marks);
    assertEquals(Optional.of(LoopReason.ATTEMPTS), loop.reason());
  }

  // --- futures -----------------------------------------------------------------------

  private static CompletableFuture<CallReply> runAsync(RetryLoop loop, Channel channel) {
    Channel seen = ClientInterceptors.intercept(channel, loop);
    return loop.callAsync(() -> future(seen), SCHEDULER);
  }

  private static ListenableFuture<CallReply> future(Channel channel) {
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
    return ClientCalls.futureUnaryCall(
        channel.newCall(TestNet.method(MethodType.UNARY, "D/Call"), options), REQUEST);
  }

  private static End failureOf(CompletableFuture<?> future) {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return TestNet.end(e);
  }

  @Test
  void futuresAreRetriedToo() throws Exception {
    Callee d = net.failing(2, Code.UNAVAILABLE);
    RetryLoop loop = RetryLoop.start(options().build());
    CallReply reply = runAsync(loop, net.plain(d.port)).get(20, TimeUnit.SECONDS);
    assertEquals("fine", reply.getNode());
    assertEquals(List.of("", "1", "1"), d.marks);
    d.served.set(-9);
    assertEquals(
        Code.UNAVAILABLE,
        failureOf(runAsync(RetryLoop.start(options().build()), net.plain(d.port))).code());
  }

  @Test
  void futuresAreTiedToTheInboundAcrossThreads() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Channel toD = net.client(d.port, ClaimClientInterceptor.newBuilder().build());
    int c =
        net.serve(
            MethodType.UNARY,
            "C/Call",
            ServerCalls.asyncUnaryCall(
                (request, answer) ->
                    runAsync(RetryLoop.start(options().build()), toD)
                        .whenComplete((value, error) -> answer.onError(error))),
            ClaimServerInterceptor.newBuilder().build());
    End end = invoke(net.plain(c), "C/Call");
    assertEquals("unclaimed", end.claim());
    assertEquals(3, end.detail().getAttempts());
  }

  @Test
  void cancellingTheFutureEndsTheLoop() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    CompletableFuture<LoopReason> waits = new CompletableFuture<>();
    RetryLoop loop =
        RetryLoop.start(
            options().initialBackoff(NEVER).maxBackoff(NEVER).onDecision(waits::complete).build());
    CompletableFuture<CallReply> answer = runAsync(loop, net.plain(d.port));
    assertEquals(LoopReason.RETRY, waits.get(20, TimeUnit.SECONDS));
    answer.cancel(true);
    assertEquals(Optional.of(LoopReason.CANCELLED), loop.reason());
  }

  @Test
  void theInboundsCancellationEndsTheWaitOfFutures() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    CompletableFuture<LoopReason> waits = new CompletableFuture<>();
    RetryLoopOptions never =
        options().initialBackoff(NEVER).maxBackoff(NEVER).onDecision(waits::complete).build();
    Context.CancellableContext inbound = Context.ROOT.withCancellation();
    RetryLoop loop = inbound.wrap(() -> RetryLoop.start(never)).call();
    CompletableFuture<CallReply> answer = runAsync(loop, net.plain(d.port));
    waits.get(20, TimeUnit.SECONDS);
    inbound.cancel(null);
    assertEquals(Code.UNAVAILABLE, failureOf(answer).code());
    assertEquals(Optional.of(LoopReason.CANCELLED), loop.reason());
  }

  @Test
  void theInboundsCancellationEndsACallOfAnyThread() throws Exception {
    Callee d = net.new Callee();
    CountDownLatch second = new CountDownLatch(2);
    CountDownLatch over = new CountDownLatch(1);
    d.port =
        net.serve(
            "D/Call",
            request -> {
              second.countDown();
              if (second.getCount() > 0) {
                throw Status.UNAVAILABLE.asException();
              }
              awaitQuietly(over);
            },
            null);
    Context.CancellableContext inbound = Context.ROOT.withCancellation();
    RetryLoop loop = inbound.wrap(() -> RetryLoop.start(options().build())).call();
    CompletableFuture<CallReply> answer = runAsync(loop, net.plain(d.port));
    awaitQuietly(second);
    inbound.cancel(null);
    assertEquals(Code.CANCELLED, failureOf(answer).code());
    over.countDown();
  }

  @Test
  void aSchedulerThatIsShutDownEndsIt() throws Exception {
    ScheduledExecutorService over = Executors.newSingleThreadScheduledExecutor();
    over.shutdown();
    Callee d = net.failing(Code.UNAVAILABLE);
    RetryLoop loop = RetryLoop.start(options().build());
    Channel seen = ClientInterceptors.intercept(net.plain(d.port), loop);
    assertEquals(
        Code.UNAVAILABLE, failureOf(loop.callAsync(() -> future(seen), over)).code());
    assertEquals(Optional.of(LoopReason.CANCELLED), loop.reason());
  }

  // --- use ---------------------------------------------------------------------------

  @Test
  void aLoopThatHasEndedSaysSo() throws Exception {
    Callee d = net.failing(0, Code.UNAVAILABLE);
    RetryLoop loop = RetryLoop.start(options().build());
    ManagedChannel toD = net.plain(d.port);
    run(loop, toD);
    End again = failureOf(loop, toD);
    assertEquals(Code.FAILED_PRECONDITION, again.code());
    assertTrue(again.status().getDescription().contains("has ended (ok)"));
    assertEquals(Code.FAILED_PRECONDITION, failureOf(runAsync(loop, toD)).code());
    assertEquals(Optional.empty(), loop.next(error(null)));
    assertEquals(1, d.served.get());
    invoke(ClientInterceptors.intercept(toD, loop), "D/Call"); // a call past it is a plain one
    assertEquals(List.of("", ""), d.marks);
    assertEquals(Optional.of(LoopReason.OK), loop.reason());
  }

  @Test
  void anErrorThatIsNoCallsIsNotRetried() {
    RetryLoop loop = RetryLoop.start(options().retryableCodes(Code.UNKNOWN).build());
    assertThrows(
        IllegalStateException.class,
        () ->
            loop.call(
                () -> {
                  throw new IllegalStateException("a bug");
                }));
    assertEquals(List.of(LoopReason.STATUS), decided);
  }

  @Test
  void aStubWithoutTheLoopIsReadByItsErrors() {
    RetryLoop loop = RetryLoop.start(options().build());
    assertTrue(loop.next(error(null)).isPresent());
    StatusRuntimeException unclaimed =
        Status.UNAVAILABLE.asRuntimeException(TestNet.metadata("error-claim", "unclaimed"));
    assertEquals(Optional.empty(), loop.next(unclaimed));
    assertEquals(Optional.of(LoopReason.UNCLAIMED), loop.reason());
  }

  @Test
  void badOptionsAreRefusedByName() {
    refused("maxAttempts: got 0, expected 1 to 100", o -> o.maxAttempts(0));
    refused("maxAttempts: got -1, expected", o -> o.maxAttempts(-1));
    refused("maxAttempts: got 101, expected", o -> o.maxAttempts(101));
    refused("retryableCodes: got [], expected", o -> o.retryableCodes());
    refused("retryableCodes: got [OK], expected", o -> o.retryableCodes(Code.OK));
    refused(
        "initialBackoff: got PT-0.001S, expected 0 to a day",
        o -> o.initialBackoff(Duration.ofMillis(-1)));
    refused("maxBackoff: got PT25H, expected", o -> o.maxBackoff(Duration.ofHours(25)));
    refused("maxBackoff: got PT", o -> o.maxBackoff(Duration.ofSeconds(Long.MAX_VALUE)));
    for (double bad : new double[] {Double.NaN, 0.9, -1, 1001, Double.POSITIVE_INFINITY}) {
      refused(
          "backoffMultiplier: got " + bad + ", expected 1 to 1000",
          o -> o.backoffMultiplier(bad));
    }
    refused("deadline: got PT0S, expected more than 0", o -> o.deadline(Duration.ZERO));
    refused("deadline: got PT-1S, expected", o -> o.deadline(Duration.ofSeconds(-1)));
    RetryLoopOptions.newBuilder()
        .maxAttempts(100)
        .initialBackoff(Duration.ofDays(1))
        .maxBackoff(Duration.ZERO)
        .backoffMultiplier(1000)
        .build();
  }

  private static void refused(
      String message,
      Function<RetryLoopOptions.Builder, RetryLoopOptions.Builder> set) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> set.apply(RetryLoopOptions.newBuilder()));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void manyLoopsAtOnceKeepTheirOwnCounts() throws Exception {
    int d =
        net.serve(
            "D/Call",
            request -> {
              throw Status.UNAVAILABLE.asException();
            },
            null);
    ManagedChannel toD =
        net.client(
            d,
            ClaimClientInterceptor.newBuilder().serviceConfig(config(2, "ABORTED")).build());
    Callee c = looping(toD, options().maxAttempts(4).build());
    ManagedChannel toC = net.plain(c.port);
    List<CompletableFuture<End>> ends = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 60; i++) {
      ends.add(
          CompletableFuture.supplyAsync(
              () -> invoke(toC, "C/Call"), run -> new Thread(run).start()));
    }
    for (CompletableFuture<End> end : ends) {
      assertEquals(4, end.get(20, TimeUnit.SECONDS).detail().getAttempts());
    }
  }
}
