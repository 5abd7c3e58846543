// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import static eown.errorclaim.TestNet.config;
import static eown.errorclaim.TestNet.invoke;
import static eown.errorclaim.TestNet.metadata;
import static eown.errorclaim.TestNet.passOn;
import static eown.errorclaim.TestNet.text;
import static eown.errorclaim.TestNet.twoAttempts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import eown.errorclaim.TestNet.Callee;
import eown.errorclaim.TestNet.End;
import eown.interop.v1.NodeOuterClass.CallRequest;
import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.stub.MetadataUtils;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InterceptorsTest {
  private final TestNet net = new TestNet();

  @AfterEach
  void close() throws InterruptedException {
    net.close();
  }

  private static ClaimServerInterceptor server() {
    return ClaimServerInterceptor.newBuilder().build();
  }

  private static ClaimClientInterceptor client() {
    return ClaimClientInterceptor.newBuilder().build();
  }

  private static ErrorClaim.Builder detail(String service, Reason reason) {
    return ErrorClaim.newBuilder()
        .setOwnerService(service)
        .setOwnerMethod("Call")
        .setReason(reason);
  }

  // --- claims ------------------------------------------------------------------------

  @Test
  void aClaimedErrorIsRetriedInFull() throws Exception {
    AtomicInteger served = new AtomicInteger();
    List<Claim> sent = new ArrayList<>();
    int port =
        net.serve(
            "C/Call",
            request -> {
              served.incrementAndGet();
              throw Status.UNAVAILABLE
                  .withDescription("out: “of” %stock")
                  .asException(metadata("x-own", "a", "x-own", "b"));
            },
            ClaimServerInterceptor.newBuilder().service("shop.Stock").onSent(sent::add).build());
    End end = invoke(net.stock(port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(4, served.get());
    assertEquals(Code.UNAVAILABLE, end.code());
    assertEquals("out: “of” %stock", end.status().getDescription());
    assertEquals("a|b", text(end.trailers(), "x-own"));
    assertEquals("claimed", end.claim());
    assertEquals("", end.pushback());
    assertEquals(detail("shop.Stock", Reason.OWN).build(), end.detail());
    assertEquals(List.of(Claim.CLAIMED, Claim.CLAIMED, Claim.CLAIMED, Claim.CLAIMED), sent);
  }

  @Test
  void anUnclaimedErrorIsNotRetriedByAStockClient() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Callee c = net.passing(net.client(d.port, twoAttempts().build()), server());
    End end = invoke(net.stock(c.port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(1, c.served.get());
    assertEquals(List.of("", "1"), d.marks);
    assertEquals("gone", end.status().getDescription());
    assertEquals("unclaimed", end.claim());
    assertEquals("-1", end.pushback());
    assertEquals(
        detail("D", Reason.PROPAGATED).setHops(1).setAttempts(2).build(), end.detail());
  }

  @Test
  void withoutAPolicyForTheStatusSomebodyHasToRetry() throws Exception {
    Callee d = net.failing(Code.INTERNAL);
    Callee c = net.passing(net.client(d.port, twoAttempts().build()), server());
    End end = invoke(net.stock(c.port, 3, "INTERNAL"), "C/Call");
    assertEquals(3, c.served.get());
    assertEquals("claimed", end.claim());
    assertEquals(detail("C", Reason.AT_LEAST_ONCE).setAttempts(1).build(), end.detail());
  }

  @Test
  void aRetryThatEndsWithAnotherStatusIsARetry() throws Exception {
    AtomicInteger served = new AtomicInteger();
    int d =
        net.serve(
            "D/Call",
            request -> {
              Status status = served.incrementAndGet() == 1 ? Status.UNAVAILABLE : Status.INTERNAL;
              throw status.asException();
            },
            null);
    Callee c = net.passing(net.client(d, twoAttempts().build()), server());
    End end = invoke(net.plain(c.port), "C/Call");
    assertEquals(Code.INTERNAL, end.code());
    assertEquals("unclaimed", end.claim());
    assertEquals(2, end.detail().getAttempts());
  }

  @Test
  void anAnswerOfTheCalleeIsPassedOn() throws Exception {
    Callee d = net.failing(Code.NOT_FOUND);
    Callee c = net.passing(net.client(d.port, client()), server());
    assertEquals("unclaimed", invoke(net.plain(c.port), "C/Call").claim());
    Channel toD = net.client(d.port, client());
    int other =
        net.serve(
            "C/Call",
            request -> {
              invoke(toD, "D/Call");
              throw Status.UNAVAILABLE.asException();
            },
            server());
    assertEquals(Reason.OWN, invoke(net.plain(other), "C/Call").reason());
  }

  @Test
  void theFailureOfAFailOpenCalleeIsNoExcuse() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Callee c = net.passing(net.client(d.port, twoAttempts().failOpen(true).build()), server());
    End end = invoke(net.plain(c.port), "C/Call");
    assertEquals("claimed", end.claim());
    assertEquals(Reason.COINCIDENTAL, end.reason());
  }

  @Test
  void aCalleeThatIsNotThereIsPassedOn() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Callee c = net.passing(net.client(port, twoAttempts().build()), server());
    End end = invoke(net.stock(c.port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(1, c.served.get());
    assertEquals("unclaimed", end.claim());
    assertEquals(2, end.detail().getAttempts());
  }

  @Test
  void callingAgainIsTheRetryAndASuccessClears() throws Exception {
    Callee d = net.failing(2, Code.UNAVAILABLE);
    Channel toD = net.client(d.port, client());
    AtomicInteger calls = new AtomicInteger(2);
    int c =
        net.serve(
            "C/Call",
            request -> {
              End last = null;
              for (int i = 0; i < calls.get(); i++) {
                last = invoke(toD, "D/Call");
              }
              throw Status.UNAVAILABLE.asException(last.trailers());
            },
            server());
    assertEquals("unclaimed", invoke(net.plain(c), "C/Call").claim());
    assertEquals(List.of("", "1"), d.marks);
    calls.set(1);
    d.served.set(1); // fails once more, then is well
    assertEquals(Reason.AT_LEAST_ONCE, invoke(net.plain(c), "C/Call").reason());
    calls.set(2);
    d.served.set(1);
    assertEquals(Reason.OWN, invoke(net.plain(c), "C/Call").reason());
  }

  @Test
  void theApplicationChooses() throws Exception {
    Channel toD = net.client(net.failing(Code.UNAVAILABLE).port, client());
    int c =
        net.serve(
            "C/Call",
            request -> {
              End end = invoke(toD, "D/Call");
              if (request.getId() == 1) {
                ErrorClaims.setRetried();
              } else {
                ErrorClaims.choose(Claim.UNCLAIMED);
              }
              passOn(end);
            },
            server());
    Channel toC = net.plain(c);
    CallRequest one = CallRequest.newBuilder().setId(1).build();
    assertEquals(Reason.PROPAGATED, invoke(toC, "C/Call", one, new Metadata()).reason());
    End chosen = invoke(toC, "C/Call");
    assertEquals("unclaimed", chosen.claim());
    assertEquals(Reason.APPLICATION, chosen.reason());
    assertThrows(IllegalArgumentException.class, () -> ErrorClaims.choose(Claim.MISSING));
  }

  @Test
  void anExceptionOfTheHandlerIsItsOwnError() throws Exception {
    int c =
        net.serve(
            "C/Call",
            request -> {
              throw new IllegalStateException("a bug");
            },
            server());
    End end = invoke(net.plain(c), "C/Call");
    assertEquals(Code.UNKNOWN, end.code());
    assertEquals("Application error processing RPC", end.status().getDescription());
    assertEquals("claimed", end.claim());
    assertEquals(Reason.OWN, end.reason());
  }

  // --- what is copied and forwarded --------------------------------------------------

  @Test
  void copiedTrailersLeaveAsTheOwnWord() throws Exception {
    AtomicInteger stopped = new AtomicInteger();
    String bytes = "\n\nshop.Stock\u0012\u0003Get\u0018\u0003";
    Callee d =
        net.failing(
            Code.UNAVAILABLE,
            "error-claim", "unclaimed",
            "error-claim-bin", bytes,
            "grpc-retry-pushback-ms", "-1",
            "x-own", "kept");
    ClaimClientInterceptor interceptor =
        twoAttempts().onStopped(stopped::incrementAndGet).build();
    Callee c = net.passing(net.client(d.port, interceptor), server());
    End end = invoke(net.stock(c.port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(1, c.served.get());
    assertEquals(1, d.served.get());
    assertEquals(1, stopped.get());
    assertEquals("unclaimed", end.claim());
    assertEquals("-1", end.pushback());
    assertEquals("kept", text(end.trailers(), "x-own"));
    assertEquals(
        ErrorClaim.newBuilder()
            .setOwnerService("shop.Stock")
            .setOwnerMethod("Get")
            .setHops(4)
            .setAttempts(1)
            .setReason(Reason.PROPAGATED)
            .build(),
        end.detail());
  }

  @ParameterizedTest
  @CsvSource({"-1,''", "x,''", "3,3"})
  void aCopiedPushbackThatSaysNoDoesNotLeaveWithAClaimedError(String sent, String left)
      throws Exception {
    Metadata copied = metadata("error-claim", "unclaimed", "grpc-retry-pushback-ms", sent);
    int c =
        net.serve(
            MethodType.UNARY,
            "C/Call",
            (call, headers) -> {
              call.close(Status.UNAVAILABLE, copied);
              return new ServerCall.Listener<CallRequest>() {};
            },
            server());
    End end = invoke(net.plain(c), "C/Call");
    assertEquals("claimed", end.claim());
    assertEquals(left, end.pushback());
    assertEquals("unclaimed", text(copied, "error-claim")); // the handler's own are untouched
  }

  @Test
  void anOwnPushbackOnAClaimedErrorStays() throws Exception {
    for (String own : List.of("-1", "3")) {
      int c =
          net.serve(
              "C/Call",
              request -> {
                throw Status.UNAVAILABLE.asException(metadata("grpc-retry-pushback-ms", own));
              },
              server());
      assertEquals(own, invoke(net.plain(c), "C/Call").pushback());
    }
  }

  @Test
  void anUnclaimedErrorLeavesWithOnePushback() throws Exception {
    Callee d =
        net.failing(
            Code.UNAVAILABLE, "grpc-retry-pushback-ms", "5", "grpc-retry-pushback-ms", "7");
    Callee c = net.passing(net.client(d.port, twoAttempts().build()), server());
    End end = invoke(net.plain(c.port), "C/Call");
    assertEquals("unclaimed", end.claim());
    assertEquals("-1", end.pushback());
  }

  @Test
  void noClaimsWithOkAndNoneOfARequest() throws Exception {
    AtomicReference<Metadata> seen = new AtomicReference<>();
    int c =
        net.serve(
            MethodType.UNARY,
            "C/Call",
            (call, headers) -> {
              seen.set(headers);
              call.sendHeaders(metadata("error-claim", "unclaimed"));
              call.sendMessage(TestNet.REPLY);
              call.close(Status.OK, metadata("error-claim", "unclaimed", "error-claim-bin", "x"));
              return new ServerCall.Listener<CallRequest>() {};
            },
            server());
    AtomicReference<Metadata> initial = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Channel toC =
        ClientInterceptors.intercept(
            net.plain(c),
            MetadataUtils.newCaptureMetadataInterceptor(
                initial, trailers));
    End end =
        invoke(toC, "C/Call", "error-claim", "unclaimed", "error-claim-bin", "x", "x-own", "kept");
    assertEquals(Code.OK, end.code());
    assertTrue(!Keys.hasClaim(initial.get(), null));
    assertTrue(!Keys.hasClaim(trailers.get(), null));
    assertTrue(!Keys.hasClaim(seen.get(), null));
    assertEquals("kept", text(seen.get(), "x-own"));
  }

  @Test
  void aForwardedCountOfAttemptsIsNone() throws Exception {
    Callee d = net.failing(1, Code.ABORTED);
    Channel toD = net.client(d.port, client());
    int gateway =
        net.serve(
            "C/Call",
            request -> passOn(invoke(toD, "D/Call", request, TestNet.headers())),
            server());
    End end = invoke(net.plain(gateway), "C/Call", "grpc-previous-rpc-attempts", "1");
    assertEquals("claimed", end.claim());
    assertEquals(Reason.AT_LEAST_ONCE, end.reason());
    assertEquals(1, end.detail().getAttempts());
    assertEquals("1", text(d.headers, "grpc-previous-rpc-attempts")); // forwarded it was
    d.served.set(0);
    assertEquals(Code.OK, invoke(net.stock(gateway, 2, "ABORTED"), "C/Call").code());
  }

  @ParameterizedTest
  @CsvSource({
    "error-claim-retry,1,1", // handed on
    "error-claim-retry,1|1,1", // more than one is one
    "error-claim-retry,yes|1,1",
    "error-claim-retry,yes,''",
    "error-claim-retry,0,''",
    "grpc-previous-rpc-attempts,1,1", // gRPC's own
    "grpc-previous-rpc-attempts,0,''",
    "x-other,1,''"
  })
  void exactlyOneMarkOrNone(String key, String values, String expected) throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Channel toD = net.client(d.port, client());
    Callee ties = net.passing(toD, server());
    int forwards =
        net.serve(
            "C/Call",
            request -> passOn(invoke(toD, "D/Call", request, TestNet.headers())),
            server());
    List<String> words = new ArrayList<>();
    for (String value : values.split("\\|")) {
      words.addAll(List.of(key, value));
    }
    String[] sent = words.toArray(String[]::new);
    invoke(net.plain(ties.port), "C/Call", sent);
    invoke(net.plain(forwards), "C/Call", sent);
    assertEquals(List.of(expected, expected), d.marks);
  }

  @Test
  void theRetryOfAForwardedMarkCarriesOne() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    invoke(
        net.client(d.port, twoAttempts().build()),
        "D/Call",
        "error-claim-retry",
        "1",
        "error-claim",
        "unclaimed");
    assertEquals(List.of("1", "1"), d.marks);
    assertEquals("", text(d.headers, "error-claim"));
  }

  // --- what is believed --------------------------------------------------------------

  @Test
  void whatIsNotBelievedIsNoError() throws Exception {
    Map<String, List<String>> all =
        Map.of(
            "a future word", List.of("error-claim", "shared"),
            "an empty word", List.of("error-claim", ""),
            "a repeated word", List.of("error-claim", "unclaimed", "error-claim", "unclaimed"),
            "a contradiction", List.of("error-claim", "claimed", "error-claim", "unclaimed"),
            "a long word", List.of("error-claim", "unclaimed".repeat(100)),
            "a bad detail", List.of("error-claim", "claimed", "error-claim-bin", "\u0008"),
            "a detail alone", List.of("error-claim-bin", ""),
            "a long detail",
                List.of("error-claim", "claimed", "error-claim-bin", "a".repeat(300)));
    for (Map.Entry<String, List<String>> row : all.entrySet()) {
      Callee d = net.failing(Code.UNAVAILABLE, row.getValue().toArray(String[]::new));
      Callee c = net.passing(net.client(d.port, client()), server());
      End end = invoke(net.plain(c.port), "C/Call");
      assertEquals(Code.UNAVAILABLE, end.code(), row.getKey());
      assertEquals(
          detail("C", Reason.AT_LEAST_ONCE).setAttempts(1).build(), end.detail(), row.getKey());
    }
  }

  @Test
  void anUnclaimedErrorWithoutPushbackIsNotRetriedEither() throws Exception {
    AtomicInteger stopped = new AtomicInteger();
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    ClaimClientInterceptor interceptor =
        twoAttempts().onStopped(stopped::incrementAndGet).build();
    End end = invoke(net.client(d.port, interceptor), "D/Call");
    assertEquals(1, d.served.get());
    assertEquals(1, stopped.get());
    assertEquals("", end.pushback()); // the application sees what the callee sent
  }

  @Test
  void observeStopsNothing() throws Exception {
    AtomicInteger stopped = new AtomicInteger();
    Callee d = net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed");
    ClaimClientInterceptor interceptor =
        twoAttempts().observe(true).onStopped(stopped::incrementAndGet).build();
    Callee c =
        net.passing(
            net.client(d.port, interceptor),
            ClaimServerInterceptor.newBuilder().observe(true).build());
    End end = invoke(net.stock(c.port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(4, c.served.get());
    assertEquals(8, d.served.get());
    assertEquals(4, stopped.get());
    assertEquals("unclaimed", end.claim());
    assertEquals("", end.pushback());
  }

  @Test
  void anAliasIsReadAndWritten() throws Exception {
    String alias = "x-mesh-claim";
    Callee d = net.failing(Code.UNAVAILABLE, alias, "unclaimed");
    Callee c =
        net.passing(
            net.client(d.port, ClaimClientInterceptor.newBuilder().alias(alias).build()),
            ClaimServerInterceptor.newBuilder().alias(alias).build());
    End end = invoke(net.stock(c.port, 4, "UNAVAILABLE"), "C/Call");
    assertEquals(1, c.served.get());
    assertEquals("unclaimed", text(end.trailers(), alias));
    assertEquals("unclaimed", end.claim());
  }

  // --- trust boundaries --------------------------------------------------------------

  @Test
  void theTrustBoundaryOfAServer() throws Exception {
    Callee d =
        net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed", "grpc-retry-pushback-ms", "-1");
    Channel toD = net.client(d.port, twoAttempts().build());
    AtomicInteger served = new AtomicInteger();
    int c =
        net.serve(
            "C/Call",
            request -> {
              served.incrementAndGet();
              passOn(invoke(toD, "D/Call", request, TestNet.headers()));
            },
            ClaimServerInterceptor.newBuilder().trustBoundary(true).build());
    End end = invoke(net.stock(c, 4, "UNAVAILABLE"), "C/Call", "error-claim-retry", "1");
    assertEquals(4, served.get());
    assertTrue(!Keys.hasClaim(end.trailers(), null));
    assertEquals("", end.pushback());
    assertEquals(List.of("", "", "", ""), d.marks);
  }

  @Test
  void theTrustBoundaryOfAClient() throws Exception {
    Callee d =
        net.failing(Code.UNAVAILABLE, "error-claim", "unclaimed", "grpc-retry-pushback-ms", "-1");
    Channel toD = net.client(d.port, twoAttempts().trustBoundary(true).build());
    int c =
        net.serve(
            "C/Call",
            request -> {
              Metadata forwarded = TestNet.headers();
              forwarded.put(Keys.CLAIM, "unclaimed");
              passOn(invoke(toD, "D/Call", request, forwarded));
            },
            server());
    End end = invoke(net.plain(c), "C/Call", "error-claim-retry", "1");
    assertEquals(2, d.served.get()); // the pushback made from the claim is not believed
    assertEquals(List.of("", ""), d.marks);
    assertEquals("", text(d.headers, "error-claim"));
    assertEquals(detail("D", Reason.PROPAGATED).setHops(1).setAttempts(2).build(), end.detail());
    End seen = invoke(toD, "D/Call");
    assertEquals("-1", seen.pushback()); // the application sees what the callee sent
  }

  @Test
  void aTrustBoundaryHeedsAPushbackThatIsNoClaims() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE, "grpc-retry-pushback-ms", "-1");
    invoke(net.client(d.port, twoAttempts().trustBoundary(true).build()), "D/Call");
    assertEquals(1, d.served.get());
  }

  // --- contexts ----------------------------------------------------------------------

  @Test
  void concurrentCallsKeepTheirOwnOutcomes() throws Exception {
    int d =
        net.serve(
            "D/Call",
            request -> {
              if (request.getId() % 2 == 1) {
                throw Status.UNAVAILABLE.asException();
              }
            },
            null);
    Channel toD = net.client(d, twoAttempts().build());
    int c =
        net.serve(
            "C/Call",
            request -> {
              invoke(toD, "D/Call", request, new Metadata());
              throw Status.UNAVAILABLE.asException();
            },
            server());
    Channel toC = net.plain(c);
    ExecutorService threads = Executors.newFixedThreadPool(50);
    List<CompletableFuture<String>> claims = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      CallRequest request = CallRequest.newBuilder().setId(i).build();
      claims.add(
          CompletableFuture.supplyAsync(
              () -> invoke(toC, "C/Call", request, new Metadata()).claim(), threads));
    }
    for (int i = 0; i < claims.size(); i++) {
      String expected = i % 2 == 0 ? "claimed" : "unclaimed";
      assertEquals(expected, claims.get(i).get(20, TimeUnit.SECONDS), "call " + i);
    }
    threads.shutdown();
  }

  @Test
  void anOutboundOfNoContextIsTiedToNothing() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    Channel toD = net.client(d.port, twoAttempts().build());
    int c =
        net.serve(
            "C/Call",
            request -> {
              AtomicReference<End> end = new AtomicReference<>();
              Context.ROOT.run(() -> end.set(invoke(toD, "D/Call")));
              passOn(end.get());
            },
            server());
    assertEquals(Reason.OWN, invoke(net.plain(c), "C/Call", "error-claim-retry", "1").reason());
    assertEquals(List.of("", "1"), d.marks); // its own retry alone
  }

  // --- gRPC's policy -----------------------------------------------------------------

  @Test
  void thePolicyWithTheLongestNameCounts() {
    Map<String, ?> three = Map.of("maxAttempts", 3.0, "retryableStatusCodes", List.of(14.0));
    Map<String, ?> two = Map.of("maxAttempts", 2.0, "retryableStatusCodes", List.of("ABORTED"));
    ServiceConfig config =
        new ServiceConfig(
            Map.of(
                "methodConfig",
                List.of(
                    Map.of("name", List.of(Map.of()), "retryPolicy", three),
                    Map.of("name", List.of(Map.of("service", "S")), "retryPolicy", two),
                    Map.of("name", List.of(Map.of("service", "S", "method", "None"))))));
    assertEquals(3, config.policyFor("D/Call").maxAttempts());
    assertTrue(config.policyFor("D/Call").covers(Code.UNAVAILABLE));
    assertTrue(config.policyFor("S/Call").covers(Code.ABORTED));
    assertNull(config.policyFor("S/None"));
    assertEquals(3, config.maxAttempts());
  }

  @Test
  void aBadConfigIsNamed() {
    Map<String, ?> bad =
        Map.of("methodConfig", List.of(Map.of("retryPolicy", Map.of("maxAttempts", "x"))));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ClaimClientInterceptor.newBuilder().serviceConfig(bad).build());
    assertTrue(e.getMessage().contains("service config {methodConfig="), e.getMessage());
  }

  @Test
  void moreThanFiveAttemptsAreTakenAtTheirWord() throws Exception {
    Callee d = net.failing(Code.UNAVAILABLE);
    ClaimClientInterceptor seven =
        ClaimClientInterceptor.newBuilder().serviceConfig(config(7, "UNAVAILABLE")).build();
    invoke(net.client(d.port, seven), "D/Call");
    assertEquals(7, d.served.get());
  }

  /** grpc-java's own way: it retries any status whose callee tells it when. */
  @ParameterizedTest
  @ValueSource(strings = {"UNAVAILABLE", "INTERNAL"})
  void aPushbackWithAWaitIsRetriedWhateverTheStatus(String code) throws Exception {
    Callee d = net.failing(Code.valueOf(code), "grpc-retry-pushback-ms", "0");
    invoke(net.stock(d.port, 3, "UNAVAILABLE"), "D/Call");
    assertEquals(3, d.served.get());
  }
}
