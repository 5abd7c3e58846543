// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
package eown.errorclaim;

import io.grpc.Metadata;

/**
 * How the calls of a channel are treated.
 *
 * @param alias a second key of the claim, or null
 * @param onStopped told of each of gRPC's retries that an unclaimed error stopped
 */
record ClientSettings(
    boolean failOpen,
    Metadata.Key<String> alias,
    boolean trustBoundary,
    boolean observe,
    Runnable onStopped) {

  static final ClientSettings DEFAULT = new ClientSettings(false, null, false, false, () -> {});
}
