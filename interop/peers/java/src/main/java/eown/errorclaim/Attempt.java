// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;

/** One attempt of an outbound call on the wire. */
final class Attempt extends ClientStreamTracer {
  private final Outbound call;
  private final int number;
  private volatile boolean committed;
  private volatile Metadata trailers = new Metadata();

  Attempt(Outbound call, int number) {
    this.call = call;
    this.number = number;
  }

  @Override
  public void inboundHeaders() {
    committed = true; // gRPC does not retry after them
  }

  @Override
  public void inboundTrailers(Metadata received) {
    trailers = received;
    call.endAttempt(received);
  }

  @Override
  public void streamClosed(Status status) {
    if (!committed) {
      call.countStop(status, trailers, number);
    }
  }
}
