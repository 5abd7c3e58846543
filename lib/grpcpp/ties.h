// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_TIES_H
#define EOWN_GRPCPP_TIES_H

#include <grpc/grpc.h>

#include "eown/context.h"

namespace eown::grpcpp {

// How an inbound context is found from gRPC's objects. The one slot of a call
// that public headers reach, and that a call with a parent inherits, is that of
// its census context. Where nothing else is in it, the context goes there.
// Where a tracing library's own value is, it stays, and a table of fixed size
// leads from that value to the context.

// What a server call has published; withdraw it when the call ends.
struct Tie {
  void *place =
      nullptr; // in the table; null: the slot is ours, or none was left
};

// Makes `context` findable from `call`. Where that is not possible it is not
// found: the table is full, or another live call has the same value in its
// slot; then neither of the two is found any more.
Tie Publish(grpc_call *call, eown_context *context);
void Withdraw(const Tie &tie);

// Returns the context that the slot's value `census` leads to, or null.
// Borrowed, and perhaps outlived: for what must hold it, eown_context_try_ref.
eown_context *Find(const void *census);

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_TIES_H
