// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;

/** The protocol's keys in metadata. */
final class Keys {
  static final Metadata.Key<String> CLAIM = text("error-claim");
  static final Metadata.Key<byte[]> DETAIL =
      Metadata.Key.of("error-claim-bin", Metadata.BINARY_BYTE_MARSHALLER);
  static final Metadata.Key<String> MARK = text("error-claim-retry");
  static final Metadata.Key<String> PUSHBACK = text("grpc-retry-pushback-ms");
  static final Metadata.Key<String> PREVIOUS_ATTEMPTS = text("grpc-previous-rpc-attempts");

  private Keys() {}

  static Metadata.Key<String> text(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** The alias of the claim's key, or null where there is none. */
  static Metadata.Key<String> alias(String name) {
    return name.isEmpty() ? null : text(name);
  }

  /** All values of a key, which may be null. */
  static <T> List<T> values(Metadata metadata, Metadata.Key<T> key) {
    List<T> values = new ArrayList<>();
    Iterable<T> all = key == null ? null : metadata.getAll(key);
    if (all != null) {
      all.forEach(values::add);
    }
    return values;
  }

  static <T> void set(Metadata metadata, Metadata.Key<T> key, List<T> values) {
    metadata.discardAll(key);
    values.forEach(value -> metadata.put(key, value));
  }

  static boolean hasClaim(Metadata metadata, Metadata.Key<String> alias) {
    return metadata.containsKey(CLAIM)
        || metadata.containsKey(DETAIL)
        || alias != null && metadata.containsKey(alias);
  }

  static void removeClaim(Metadata metadata, Metadata.Key<String> alias) {
    metadata.discardAll(CLAIM);
    metadata.discardAll(DETAIL);
    if (alias != null) {
      metadata.discardAll(alias);
    }
  }
}
