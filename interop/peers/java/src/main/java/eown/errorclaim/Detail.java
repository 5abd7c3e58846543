// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import com.google.protobuf.InvalidProtocolBufferException;
import eown.v1.ErrorClaimOuterClass.ErrorClaim;
import eown.v1.ErrorClaimOuterClass.ErrorClaim.Reason;

/** The detail that goes with a claim. */
final class Detail {
  private static final int MAX = 256;
  private static final int NAME_MAX = 108; // two such names and three numbers fit into a detail

  private Detail() {}

  /** The detail in these bytes; null where they are none to be believed. */
  static ErrorClaim read(byte[] bytes) {
    if (bytes.length > MAX) {
      return null;
    }
    try {
      ErrorClaim detail = ErrorClaim.parseFrom(bytes);
      boolean printable = isPrintable(detail.getOwnerService() + detail.getOwnerMethod());
      return printable ? withKnownReason(detail) : null;
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  private static ErrorClaim withKnownReason(ErrorClaim detail) {
    boolean known = detail.getReason() != Reason.UNRECOGNIZED;
    return known ? detail : detail.toBuilder().setReason(Reason.NONE).build();
  }

  /** The sender itself, under the name of its service where it has one. */
  static ErrorClaim own(String path, String service) {
    String[] names = names(path);
    return ErrorClaim.newBuilder()
        .setOwnerService(cut(service.isEmpty() ? names[0] : service))
        .setOwnerMethod(cut(names[1]))
        .build();
  }

  /** What to say of an error that is only passed on; {@code received} may be null. */
  static ErrorClaim passedOn(ErrorClaim received, String path) {
    if (received == null || received.getOwnerService().isEmpty()) {
      return own(path, "").toBuilder().setHops(1).build();
    }
    int hops = received.getHops() + 1; // an unsigned number
    return ErrorClaim.newBuilder()
        .setOwnerService(cut(received.getOwnerService()))
        .setOwnerMethod(cut(received.getOwnerMethod()))
        .setHops(hops == 0 ? -1 : hops)
        .build();
  }

  /** Service and method of a path, with or without the slash before it. */
  static String[] names(String path) {
    String names = path.startsWith("/") ? path.substring(1) : path;
    int slash = names.indexOf('/');
    return slash < 0
        ? new String[] {names, ""}
        : new String[] {names.substring(0, slash), names.substring(slash + 1)};
  }

  private static boolean isPrintable(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  private static String cut(String name) {
    String printable = name.replaceAll("[^ -~]", "?");
    return printable.length() > NAME_MAX ? printable.substring(0, NAME_MAX) : printable;
  }
}
