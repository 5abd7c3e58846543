// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import eown.interop.v1.NodeOuterClass.StatsRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes, some of them as processes of their own, as the lab starts them. */
class NodeTest {
  private static final Metadata.Key<String> WANTED =
      Metadata.Key.of("eown-node-callee", Metadata.ASCII_STRING_MARSHALLER);
  private final List<Running> all = new ArrayList<>();
  private final Transport transport = new Transport();

  /** A node that serves: in this process, or in one of its own. */
  private abstract class Running {
    final String name;
    final int port;
    final ManagedChannel channel;

    Running(String name, int port) {
      this.name = name;
      this.port = port;
      channel = transport.channel("127.0.0.1:" + port).build();
      all.add(this);
    }

    String callee() {
      return name + "=127.0.0.1:" + port;
    }

    /** Ends it, and returns its counts. */
    abstract JsonObject stop() throws Exception;

    abstract void kill();
  }

  private final class Local extends Running {
    private final Node node;

    private Local(Node node, String name) {
      super(name, node.port());
      this.node = node;
    }

    @Override
    JsonObject stop() {
      return JsonParser.parseString(node.stop()).getAsJsonObject();
    }

    @Override
    void kill() {
      node.stop();
    }
  }

  private Running local(String... words) throws Exception {
    Options options = Options.read(words);
    return new Local(new Node(options), options.name);
  }

  private final class Other extends Running {
    final JsonObject ready;
    private final Process process;
    private final BufferedReader lines;

    private Other(Process process, BufferedReader lines, JsonObject ready) {
      super(ready.get("name").getAsString(), ready.get("port").getAsInt());
      this.process = process;
      this.lines = lines;
      this.ready = ready;
    }

    @Override
    JsonObject stop() throws Exception {
      return stop("TERM");
    }

    /** Its counts at its exit, with status 0. */
    JsonObject stop(String signal) throws Exception {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      JsonObject end = JsonParser.parseString(lines.readLine()).getAsJsonObject();
      assertEquals("exit", end.get("event").getAsString());
      assertNull(lines.readLine());
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
      return end;
    }

    @Override
    void kill() {
      process.destroyForcibly();
    }
  }

  private Other start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(System.getProperty("node")));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    return new Other(
        process, lines, JsonParser.parseString(lines.readLine()).getAsJsonObject());
  }

  @AfterEach
  void end() {
    all.forEach(running -> running.channel.shutdownNow());
    all.forEach(Running::kill);
    transport.close();
  }

  private static CallReply ask(Running node, String service, String... wanted) {
    Metadata headers = new Metadata();
    Arrays.stream(wanted).forEach(name -> headers.put(WANTED, name));
    Channel channel =
        ClientInterceptors.intercept(
            node.channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    return ClientCalls.blockingUnaryCall(
        channel,
        Methods.call(service),
        CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS),
        CallRequest.newBuilder().setId(1).build());
  }

  private static void expectError(
      Status.Code code, String message, Running node, String... wanted) {
    StatusRuntimeException e =
        assertThrows(StatusRuntimeException.class, () -> ask(node, node.name, wanted));
    assertEquals(code, e.getStatus().getCode());
    assertEquals(message, e.getStatus().getDescription());
  }

  private static void askMany(Running node, int n) {
    CompletableFuture<?>[] calls =
        IntStream.range(0, n)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () ->
                            assertThrows(
                                StatusRuntimeException.class, () -> ask(node, node.name))))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(calls).join();
  }

  private static long count(JsonObject counts, String... path) {
    JsonObject at = counts;
    for (int i = 0; i < path.length - 1; i++) {
      at = at.getAsJsonObject(path[i]);
    }
    return at.get(path[path.length - 1]).getAsLong();
  }

  // --- chains ------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "enforce,grpc,1 1 1 2",
    "enforce,application,1 1 1 2",
    "enforce,both,1 1 1 2",
    "observe,grpc,1 2 4 8",
    "observe,application,1 2 4 8",
    "stock,grpc,1 2 4 8",
    "stock,application,1 2 4 8",
    "off,grpc,1 2 4 8",
    "off,application,1 2 4 8",
    "off,both,1 4 16 64",
  })
  void aChainOfFour(String ownership, String by, String expected) throws Exception {
    checkChain(this::local, ownership, by, expected);
  }

  @Test
  void aChainOfProcesses() throws Exception {
    checkChain(this::start, "enforce", "both", "1 1 1 2");
  }

  private interface Starter {
    Running start(String... words) throws Exception;
  }

  private static void checkChain(Starter starter, String ownership, String by, String expected)
      throws Exception {
    int calls = 5;
    List<Running> nodes = new ArrayList<>();
    nodes.add(starter.start("--name", "D", "--fail-rate", "1", "--ownership=" + ownership));
    for (String name : List.of("C", "B", "A")) {
      String callee = nodes.get(0).callee();
      nodes.add(
          0,
          starter.start(
              "--name", name, "--attempts", "2", "--retry-by", by, "--ownership", ownership,
              "--retry-codes", "aborted,unavailable", "--callee", callee));
    }
    askMany(nodes.get(0), calls);
    List<JsonObject> ends = new ArrayList<>();
    for (Running node : nodes) {
      ends.add(node.stop());
    }
    List<Long> wanted =
        Arrays.stream(expected.split(" ")).map(n -> calls * Long.parseLong(n)).toList();
    assertEquals(wanted, ends.stream().map(end -> count(end, "served")).toList());
    checkClaims(ownership, by, ends);
  }

  /** What B and C count of claims and of stops. */
  private static void checkClaims(String ownership, String by, List<JsonObject> ends) {
    JsonObject b = ends.get(1);
    JsonObject c = b.getAsJsonArray("callees").get(0).getAsJsonObject();
    boolean owned = ownership.equals("enforce") || ownership.equals("observe");
    long served = count(b, "served");
    assertEquals(owned ? served : 0, count(b, "claims_sent", "unclaimed"));
    assertEquals(owned ? count(c, "errors") : 0, count(c, "unclaimed"));
    assertEquals(owned ? 0 : count(c, "errors"), count(c, "missing"));
    if (!by.equals("both")) {
      assertEquals(owned ? served : 0, count(b, "retries_stopped", "unclaimed"));
    }
    boolean multiplied = by.equals("both") && ownership.equals("enforce");
    assertEquals(multiplied ? served : 0, count(ends.get(2), "retries_stopped", "multiplied"));
  }

  @ParameterizedTest
  @CsvSource({"parent,2,unclaimed", "none,2,claimed"})
  void aContextOfNoneTiesNothing(String context, long served, String claim) throws Exception {
    Running d = local("--name", "D", "--fail-rate", "1", "--ownership", "enforce");
    Running c =
        local(
            "--name", "C", "--callee", d.callee(), "--attempts", "2", "--ownership", "enforce",
            "--context", context);
    expectError(Status.Code.UNAVAILABLE, "D fails by itself", c);
    assertEquals(served, count(d.stop(), "served"));
    assertEquals(1, count(c.stop(), "claims_sent", claim));
  }

  // --- the contract ------------------------------------------------------------------

  @Test
  void calleesAndCounts() throws Exception {
    Running good = local("--name", "G");
    Running bad =
        local(
            "--name", "F", "--fail-rate", "1", "--fail-status", "internal", "--healthy-first", "1");
    Other both =
        start(
            "--name", "B", "--callee", bad.callee() + ",fail-open", "--callee", good.callee());
    Running strict = local("--name", "A", "--callee", bad.callee());

    assertEquals(2, ask(both, "eown.interop.v1.Node").getNodesBelow());
    assertEquals(1, ask(both, "B").getNodesBelow());
    assertEquals(1, ask(both, "B", "G").getNodesBelow());
    expectError(
        Status.Code.INVALID_ARGUMENT,
        "eown-node-callee: 'X': expected the name of a callee of B",
        both,
        "X");
    // Though it would fail by itself.
    expectError(
        Status.Code.INVALID_ARGUMENT,
        "eown-node-callee: '': expected the name of a callee of F",
        bad,
        "");
    expectError(Status.Code.INTERNAL, "F fails by itself", strict);

    String stats =
        ClientCalls.blockingUnaryCall(
                both.channel,
                Methods.stats(),
                CallOptions.DEFAULT,
                StatsRequest.newBuilder().setReset(true).build())
            .getJson();
    assertEquals(
        "{'event':'stats','name':'B','served':4,'errors':1,'own_failures':0,'made':5,"
                .replace('\'', '"')
            + "'retries_stopped':{'unclaimed':0,'budget':0,'chain':0,'multiplied':0},"
                .replace('\'', '"')
            + "'claims_sent':{'claimed':0,'unclaimed':0},'callees':[".replace('\'', '"')
            + counts("F", 2, 1)
            + ","
            + counts("G", 3, 0)
            + "]}",
        stats);
    JsonObject end = both.stop("INT");
    assertEquals(0, count(end, "served"));
    JsonArray callees = end.getAsJsonArray("callees");
    assertEquals("F", callees.get(0).getAsJsonObject().get("name").getAsString());
  }

  private static String counts(String callee, int calls, int errors) {
    return String.format(
            "{'name':'%s','calls':%d,'errors':%d,'claimed':0,'unclaimed':0,'missing':%d,"
                + "'other':0}",
            callee, calls, errors, errors)
        .replace('\'', '"');
  }

  @Test
  void theReadyLineTellsTheLanguage() throws Exception {
    JsonObject ready = start("--name", "A").ready;
    assertEquals(
        List.of("event", "name", "port", "language", "version", "grpc"),
        List.copyOf(ready.keySet()));
    assertEquals("ready", ready.get("event").getAsString());
    assertEquals("Java", ready.get("language").getAsString());
    assertEquals(System.getProperty("java.version"), ready.get("version").getAsString());
    assertTrue(ready.get("grpc").getAsString().matches("grpc-java [0-9.]+"));
  }

  private record Ended(int status, String output, String errors) {}

  private static Ended run(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(System.getProperty("node")));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output, errors);
  }

  @Test
  void badCommandLinesEndWithStatusTwo() throws Exception {
    Ended ended = run("--fail-rate", "2");
    assertEquals(
        new Ended(2, "", "node: --fail-rate \"2\": expected a number from 0 to 1\nTry --help.\n"),
        ended);
    ended = run("--help");
    assertEquals(0, ended.status);
    assertTrue(ended.output.contains("--callee NAME=HOST:PORT[,fail-open]"));
    try (java.net.ServerSocket taken = new java.net.ServerSocket(0)) {
      ended = run("--listen", "127.0.0.1:" + taken.getLocalPort());
    }
    assertEquals(1, ended.status);
    assertTrue(ended.errors.startsWith("node: "), ended.errors);
  }

  @ParameterizedTest
  @CsvSource({
    "--parallel,--parallel: unknown option",
    "-x,'got \"-x\", expected options only'",
    "word,'got \"word\", expected options only'",
    "--name é,'--name \"é\": expected 1 to 63'",
    "--listen 127.0.0.1,'--listen \"127.0.0.1\": expected HOST:PORT'",
    "--listen 127.0.0.1:65536,'--listen \"127.0.0.1:65536\": expected HOST:PORT'",
    "--callee D,'--callee \"D\": expected NAME=HOST:PORT'",
    "--callee D=h:0,'--callee \"D=h:0\": expected NAME=HOST:PORT'",
    "--fail-rate NaN,'--fail-rate \"NaN\": expected a number'",
    "--fail-status OK,'--fail-status \"OK\": expected the name'",
    "'--retry-codes UNAVAILABLE,SAD','--retry-codes \"UNAVAILABLE,SAD\": expected names'",
    "'--retry-codes UNAVAILABLE,','--retry-codes \"UNAVAILABLE,\": expected names'",
    "--context thread,'--context \"thread\": expected one of parent, none'",
    "--retry-by me,'--retry-by \"me\": expected one of grpc, application, both'",
    "--ownership all,'--ownership \"all\": expected one of stock, off, observe, enforce'",
    "--attempts 0,'--attempts \"0\": expected a whole number from 1 to 100'",
    "--attempts 101,'--attempts \"101\"'",
    "--seed -1,'--seed \"-1\"'",
    "--healthy-first 18446744073709551616,'--healthy-first \"18446744073709551616\"'",
    "--attempts,--attempts: expected a value: K"
  })
  void refusals(String words, String message) {
    Options.Refused e =
        assertThrows(Options.Refused.class, () -> Options.read(words.split(" ")));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @Test
  void goodCommandLines() throws Exception {
    Options options =
        Options.read(
            "--name=N", "--listen", "[::1]:7", "--callee", "D=[::1]:7,fail-open",
            "--retry-codes=aborted,DATA_LOSS", "--attempts=100", "--retry-by=both",
            "--healthy-first=18446744073709551615");
    assertEquals(7, options.listen.getPort());
    assertNotNull(options.listen.getAddress());
    assertEquals(List.of(new Options.Callee("D", "[::1]:7", true)), options.callees);
    assertEquals(List.of(Status.Code.ABORTED, Status.Code.DATA_LOSS), options.retryCodes);
    assertTrue(options.hasPolicy() && options.hasLoop());
    assertTrue(!Options.read("--retry-by=both").hasPolicy()); // of one attempt
  }

  /** The same calls fail as in an eown-node of this name and seed. */
  @Test
  void dice() {
    assertEquals(0xe220a8397b1dcdafL, Dice.splitMix(0, 0)); // published
    long half = failures(new Dice("D", 7, 0, 0.5));
    assertTrue(half > 400 && half < 600, "got " + half);
    assertEquals(half, failures(new Dice("D", 7, 0, 0.5)));
    assertEquals(10, failures(new Dice("D", 7, 990, 1)));
    assertEquals(0, failures(new Dice("D", 7, -1, 1))); // the largest number
  }

  private static long failures(Dice dice) {
    return IntStream.range(0, 1000).filter(i -> dice.fails()).count();
  }

  @Test
  void theMethodsAreThoseOfTheNode() {
    assertEquals("eown.interop.v1.Node/Stats", Methods.stats().getFullMethodName());
    assertEquals(MethodDescriptor.MethodType.UNARY, Methods.call("A").getType());
  }
}
