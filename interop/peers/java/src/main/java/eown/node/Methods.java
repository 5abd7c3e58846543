// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.node;

import com.google.protobuf.MessageLite;
import eown.interop.v1.NodeOuterClass.CallReply;
import eown.interop.v1.NodeOuterClass.CallRequest;
import eown.interop.v1.NodeOuterClass.StatsReply;
import eown.interop.v1.NodeOuterClass.StatsRequest;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.lite.ProtoLiteUtils;

/**
 * The methods of nodes. The names of the services are only known at run time, so they are described
 * here and not by generated code.
 */
final class Methods {
  static final String NODE = "eown.interop.v1.Node";

  private Methods() {}

  static MethodDescriptor<CallRequest, CallReply> call(String service) {
    return unary(
        service, "Call", CallRequest.getDefaultInstance(), CallReply.getDefaultInstance());
  }

  static MethodDescriptor<StatsRequest, StatsReply> stats() {
    return unary(NODE, "Stats", StatsRequest.getDefaultInstance(), StatsReply.getDefaultInstance());
  }

  private static <Q extends MessageLite, A extends MessageLite> MethodDescriptor<Q, A> unary(
      String service, String method, Q request, A reply) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, method))
        .setRequestMarshaller(ProtoLiteUtils.marshaller(request))
        .setResponseMarshaller(ProtoLiteUtils.marshaller(reply))
        .build();
  }
}
