// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import eown.errorclaim.ClaimServerInterceptor;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import eown.interop.v1.NodeOuterClass.StatsReply;
import eown.interop.v1.NodeOuterClass.StatsRequest;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One node of a call graph: a server, and a channel to each of its callees. */
final class Node {
  private static final int GRACE_SECONDS = 2;
  private static final Metadata.Key<String> WANTED_KEY =
      Metadata.Key.of("eown-node-callee", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> WANTED = Context.key("eown-node-callee");

  private final Options options;
  private final Counts counts;
  private final Dice dice;
  private final Transport transport = new Transport();
  private final List<Callee> callees = new ArrayList<>();
  private final Server server;

  Node(Options options) throws IOException {
    this.options = options;
    counts = new Counts(options);
    dice = new Dice(options.name, options.seed, options.healthyFirst, options.failRate);
    for (int i = 0; i < options.callees.size(); i++) {
      callees.add(new Callee(options, i, counts, transport));
    }
    server = serve(transport.server(options.listen));
  }

  private Server serve(ServerBuilder<?> builder) throws IOException {
    var standard =
        ServerServiceDefinition.builder(Methods.NODE)
            .addMethod(Methods.call(Methods.NODE), ServerCalls.asyncUnaryCall(this::call))
            .addMethod(Methods.stats(), ServerCalls.asyncUnaryCall(this::stats));
    builder.addService(standard.build());
    if (!options.name.equals(Methods.NODE)) {
      var own =
          ServerServiceDefinition.builder(options.name)
              .addMethod(Methods.call(options.name), ServerCalls.asyncUnaryCall(this::call));
      builder.addService(own.build());
    }
    builder.intercept(new WantedCallee());
    if (options.owned()) {
      builder.intercept(
          ClaimServerInterceptor.newBuilder()
              .service(options.name)
              .observe(options.ownership.equals("observe"))
              .onSent(counts::sent)
              .build());
    }
    return builder.build().start();
  }

  int port() {
    return server.getPort();
  }

  /** Ends calls in progress, at most for a while, and returns the counts. */
  String stop() {
    server.shutdown();
    try {
      server.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.shutdownNow();
    callees.forEach(Callee::close);
    transport.close();
    return counts.json("exit", false);
  }

  // --- serving -----------------------------------------------------------------------

  /** Hands the name of the one callee to call on to the handler. */
  private static final class WantedCallee implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Context context = Context.current().withValue(WANTED, headers.get(WANTED_KEY));
      return Contexts.interceptCall(context, call, headers, next);
    }
  }

  private void stats(StatsRequest request, StreamObserver<StatsReply> answer) {
    String json = counts.json("stats", request.getReset());
    answer.onNext(StatsReply.newBuilder().setJson(json).build());
    answer.onCompleted();
  }

  private void call(CallRequest request, StreamObserver<CallReply> answer) {
    counts.count(all -> all.served++);
    try {
      int below = answerOf(request, dice.fails());
      answer.onNext(CallReply.newBuilder().setNode(options.name).setNodesBelow(below).build());
      answer.onCompleted();
    } catch (StatusException e) {
      counts.count(all -> all.errors++);
      answer.onError(e);
    }
  }

  /** The nodes below, or the error that the node answers with. */
  private int answerOf(CallRequest request, boolean fails) throws StatusException {
    List<Callee> wanted = wanted(); // a refusal is no failure of its own
    StatusException failed = null;
    int below = 0;
    for (Callee callee : wanted) {
      if (failed != null && !fails) {
        break;
      }
      try {
        below += 1 + callTied(callee, request).getNodesBelow();
      } catch (StatusRuntimeException e) {
        boolean first = failed == null && !callee.callee().failOpen();
        failed = first ? e.getStatus().asException() : failed; // without its trailers
      }
    }
    if (fails) {
      counts.count(all -> all.ownFailures++);
      throw status(options.failStatus, options.name + " fails by itself");
    } else if (failed != null) {
      throw failed;
    }
    return below;
  }

  // --- calling -----------------------------------------------------------------------

  /** Which callees to call: all, or the one that the request names. */
  private List<Callee> wanted() throws StatusException {
    String name = WANTED.get();
    if (name == null) {
      return callees;
    }
    List<Callee> wanted =
        callees.stream().filter(callee -> callee.callee().name().equals(name)).toList();
    if (wanted.isEmpty()) {
      throw status(
          Status.Code.INVALID_ARGUMENT,
          String.format(
              "eown-node-callee: '%s': expected the name of a callee of %s", name, options.name));
    }
    return wanted;
  }

  /** Without a parent nothing holds but the deadline of the inbound call. */
  private CallReply callTied(Callee callee, CallRequest request) {
    Deadline deadline = Context.current().getDeadline();
    Context previous = null;
    boolean untied = options.context.equals("none");
    if (untied) {
      previous = Context.ROOT.attach();
    }
    try {
      return callee.call(request, deadline);
    } finally {
      if (untied) {
        Context.ROOT.detach(previous);
      }
    }
  }

  private static StatusException status(Status.Code code, String message) {
    return code.toStatus().withDescription(message).asException();
  }
}
