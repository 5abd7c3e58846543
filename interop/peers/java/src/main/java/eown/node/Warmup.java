// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import eown.interop.v1.NodeOuterClass.CallRequest;
import io.grpc.StatusRuntimeException;

/** A call through nodes of one process: setup archives the classes that it needs. */
final class Warmup {
  private Warmup() {}

  public static void main(String[] words) throws Exception {
    Node failing = new Node(Options.read("--name", "D", "--fail-rate", "1"));
    Node passing = new Node(calling("C", "D", failing.port()));
    Options client = calling("A", "C", passing.port());
    Callee callee = new Callee(client, 0, new Counts(client), new Transport());
    try {
      callee.call(CallRequest.getDefaultInstance(), null);
    } catch (StatusRuntimeException expected) {
      passing.stop();
      System.exit(0);
    }
    System.exit(1);
  }

  private static Options calling(String name, String callee, int port) throws Options.Refused {
    return Options.read(
        "--name=" + name,
        "--callee=" + callee + "=127.0.0.1:" + port,
        "--attempts=2",
        "--retry-by=both",
        "--ownership=enforce");
  }
}
