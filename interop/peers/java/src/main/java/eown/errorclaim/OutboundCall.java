// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;

/** Shows an outbound call its headers and its answer. */
final class OutboundCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
  private final Outbound outbound;

  OutboundCall(ClientCall<Q, A> call, Outbound outbound) {
    super(call);
    this.outbound = outbound;
  }

  @Override
  public void start(Listener<A> listener, Metadata headers) {
    outbound.prepare(headers);
    super.start(
        new SimpleForwardingClientCallListener<A>(listener) {
          @Override
          public void onMessage(A message) {
            outbound.receiveMessage();
            super.onMessage(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            outbound.end(status, trailers);
            super.onClose(status, trailers);
          }
        },
        headers);
  }
}
