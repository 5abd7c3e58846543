// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import io.grpc.internal.GrpcUtil;

/** One node of a call graph, for the lab; see --help. */
public final class Main {
  private Main() {}

  public static void main(String[] words) throws InterruptedException {
    Options options = readOptions(words);
    try {
      run(new Node(options), options);
    } catch (Exception e) {
      System.err.println("node: " + e.getMessage());
      System.exit(1);
    }
    Thread.currentThread().join(); // for ever: a signal ends it
  }

  private static Options readOptions(String[] words) {
    try {
      Options options = Options.read(words);
      if (options.help) {
        System.out.print(options.usage());
        System.exit(0);
      }
      return options;
    } catch (Options.Refused e) {
      System.err.println("node: " + e.getMessage() + "\nTry --help.");
      System.exit(2);
      throw new AssertionError(e);
    }
  }

  /** A JVM that a signal ends has the signal's status: halt has ours. */
  private static void run(Node node, Options options) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  System.out.println(node.stop());
                  System.out.flush();
                  Runtime.getRuntime().halt(0);
                }));
    System.out.printf(
        "{\"event\":\"ready\",\"name\":\"%s\",\"port\":%d,"
            + "\"language\":\"Java\",\"version\":\"%s\",\"grpc\":\"grpc-java %s\"}%n",
        options.name,
        node.port(),
        System.getProperty("java.version"),
        GrpcUtil.getGrpcBuildVersion().getImplementationVersion());
    System.out.flush();
  }
}
