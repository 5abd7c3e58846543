// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0

/**
 * Error ownership for grpc-java, as protos/PROTOCOL.md says: the interceptors of a server and of a
 * channel, and the application's retry loop. Claim, Rules, LoopRule, LoopReason, Backoff, Pushback
 * and Detail are the rules; they know no gRPC.
 */
package eown.errorclaim;
