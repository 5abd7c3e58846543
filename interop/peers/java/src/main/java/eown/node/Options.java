// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command line, as read. */
final class Options {
  /** A bad command line: what to say of it. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  record Callee(String name, String target, boolean failOpen) {}

  private record Option(String value, String text, Consumer<String> take) {}

  private static final Pattern CALLEE =
      Pattern.compile("([A-Za-z0-9._-]{1,63})=([^,]+)(,fail-open)?");
  private static final Pattern ADDRESS = Pattern.compile("(.+):([0-9]{1,5})");

  String name = "node";
  InetSocketAddress listen = new InetSocketAddress("127.0.0.1", 0);
  final List<Callee> callees = new ArrayList<>();
  double failRate;
  Status.Code failStatus = Status.Code.UNAVAILABLE;
  long healthyFirst; // unsigned
  long seed = 1;
  int attempts = 1;
  List<Status.Code> retryCodes =
      List.of(
          Status.Code.UNKNOWN,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.RESOURCE_EXHAUSTED,
          Status.Code.ABORTED,
          Status.Code.INTERNAL,
          Status.Code.UNAVAILABLE,
          Status.Code.DATA_LOSS);
  String retryBy = "grpc";
  String ownership = "stock";
  String context = "parent";
  boolean help;
  private final Map<String, Option> known = new LinkedHashMap<>();

  private Options() {
    define("name", "NAME", "of this node and of its service (node)", this::takeName);
    define("listen", "HOST:PORT", "to serve; port 0 picks one (127.0.0.1:0)", this::takeListen);
    define(
        "callee",
        "NAME=HOST:PORT[,fail-open]",
        "a node to call for each inbound call; may be repeated",
        this::takeCallee);
    define("fail-rate", "RATE", "of calls it fails by itself (0)", this::takeRate);
    define(
        "fail-status",
        "STATUS",
        "of its own failures (UNAVAILABLE)",
        text -> failStatus = failure(text, "the name of a gRPC status code other than OK"));
    define(
        "healthy-first",
        "N",
        "the first N calls do not fail (0)",
        text -> healthyFirst = unsigned(text));
    define("seed", "N", "of its random numbers (1)", text -> seed = unsigned(text));
    define("attempts", "K", "of its retries, at most; 1: no retries (1)", this::takeAttempts);
    define("retry-codes", "A,B,..", "retryable codes (the seven faults)", this::takeCodes);
    define(
        "retry-by",
        "WHOM",
        "grpc: a retry policy, application: its own loop, or both: such a loop above"
            + " such a policy (grpc)",
        text -> retryBy = word(text, "grpc", "application", "both"));
    define(
        "ownership",
        "MODE",
        "stock, off, observe or enforce (stock)",
        text -> ownership = word(text, "stock", "off", "observe", "enforce"));
    define(
        "context",
        "WAY",
        "parent, or none: outbound calls are tied to nothing (parent)",
        text -> context = word(text, "parent", "none"));
  }

  private void define(String option, String value, String text, Consumer<String> take) {
    known.put(option, new Option(value, text, take));
  }

  /** Reads {@code --option value} and {@code --option=value}. */
  static Options read(String... words) throws Refused {
    Options options = new Options();
    for (int i = 0; i < words.length && !options.help; i++) {
      String[] parts = words[i].split("=", 2);
      if (parts[0].equals("--help") || parts[0].equals("-h")) {
        options.help = true;
      } else if (!parts[0].startsWith("--")) {
        throw new Refused("got \"" + words[i] + "\", expected options only");
      } else if (parts.length == 2) {
        options.take(parts[0], parts[1]);
      } else {
        i++;
        options.take(parts[0], i < words.length ? words[i] : null);
      }
    }
    return options;
  }

  private void take(String option, String value) throws Refused {
    Option found = known.get(option.substring(2));
    if (found == null) {
      throw new Refused(option + ": unknown option");
    } else if (value == null) {
      throw new Refused(option + ": expected a value: " + found.value);
    }
    try {
      found.take.accept(value);
    } catch (IllegalArgumentException e) {
      throw new Refused(option + " \"" + value + "\": expected " + e.getMessage());
    }
  }

  boolean owned() {
    return ownership.equals("observe") || ownership.equals("enforce");
  }

  boolean hasPolicy() {
    return attempts > 1 && !retryBy.equals("application");
  }

  boolean hasLoop() {
    return !retryBy.equals("grpc");
  }

  // --- values: what they throw says what was expected --------------------------------

  private void takeName(String text) {
    expect(text.matches("[A-Za-z0-9._-]{1,63}"), "1 to 63 letters, digits, '-', '_' or '.'");
    name = text;
  }

  private void takeListen(String text) {
    expect(isAddress(text, 0), "HOST:PORT with a port from 0 to 65535");
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon).replaceAll("^\\[(.*)\\]$", "$1");
    listen = new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
    expect(!listen.isUnresolved(), "HOST:PORT with a host that is known");
  }

  private void takeCallee(String text) {
    Matcher parts = CALLEE.matcher(text);
    expect(
        parts.matches() && isAddress(parts.group(2), 1),
        "NAME=HOST:PORT or NAME=HOST:PORT,fail-open");
    callees.add(new Callee(parts.group(1), parts.group(2), parts.group(3) != null));
  }

  private void takeRate(String text) {
    double rate;
    try {
      rate = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      rate = -1;
    }
    expect(rate >= 0 && rate <= 1, "a number from 0 to 1");
    failRate = rate;
  }

  private void takeAttempts(String text) {
    expect(text.matches("[1-9][0-9]?|100"), "a whole number from 1 to 100");
    attempts = Integer.parseInt(text);
  }

  private void takeCodes(String text) {
    String expected = "names of gRPC status codes other than OK, separated by commas";
    retryCodes =
        Arrays.stream(text.split(",", -1)).map(code -> failure(code, expected)).toList();
  }

  private static boolean isAddress(String text, int lowest) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return false;
    }
    int port = Integer.parseInt(parts.group(2));
    return port >= lowest && port <= 65535;
  }

  private static Status.Code failure(String text, String expected) {
    try {
      Status.Code code = Status.Code.valueOf(text.toUpperCase(Locale.ROOT));
      expect(code != Status.Code.OK, expected);
      return code;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(expected, e);
    }
  }

  private static long unsigned(String text) {
    String expected = "a whole number from 0 to 18446744073709551615";
    expect(text.matches("[0-9]+"), expected);
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(expected, e);
    }
  }

  private static String word(String text, String... words) {
    expect(List.of(words).contains(text), "one of " + String.join(", ", words));
    return text;
  }

  private static void expect(boolean good, String expected) {
    if (!good) {
      throw new IllegalArgumentException(expected);
    }
  }

  // --- help --------------------------------------------------------------------------

  String usage() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Usage: node [OPTION...]
        One node of a call graph, in Java with grpc-java: serves
        /eown.interop.v1.Node/{Call,Stats} and /NAME/Call, and calls its callees for
        each call. Prints a line of JSON when it is ready and one with its counts at its
        exit, on SIGTERM or SIGINT.

        """);
    known.forEach(
        (option, one) ->
            text.append(String.format("  --%s %s%n        %s%n", option, one.value, one.text)));
    return text.append(
            """

            Example, the caller of a node D, with one retry and error ownership:
              node --name C --listen 127.0.0.1:7003 --callee D=127.0.0.1:7004 \\
                --attempts 2 --ownership enforce
            """)
        .toString();
  }
}
