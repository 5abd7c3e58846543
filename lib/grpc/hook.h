// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_HOOK_H
#define EOWN_GRPC_HOOK_H

#include "compat.h"

namespace eown {

// Stands in for the callback of a batch that receives metadata. Nothing of it
// has a value before Set, so that a call whose batches never come pays for
// nothing.
class Hook {
public:
  Hook() {}

  // Puts `run`, which gets `owner`, in the place of gRPC's own callback.
  void Set(grpc_metadata_batch *metadata, grpc_closure **callback,
           grpc_iomgr_cb_func run, void *owner) {
    metadata_ = metadata;
    next_ = *callback;
    GRPC_CLOSURE_INIT(&closure_, run, owner, nullptr);
    *callback = &closure_;
  }
  void SetTrailing(grpc_transport_stream_op_batch *batch,
                   grpc_iomgr_cb_func run, void *owner) {
    auto &op = batch->payload->recv_trailing_metadata;
    Set(op.recv_trailing_metadata, &op.recv_trailing_metadata_ready, run,
        owner);
  }

  // What was received, once `run` runs.
  grpc_metadata_batch *metadata() const { return metadata_; }
  // Runs gRPC's own callback; the last thing that `run` does, with its own
  // argument. Closure::Run does the same, with a trace line and a copy of the
  // error on the way.
  void Pass(grpc_error_handle *error) const {
#ifdef __GXX_ABI_VERSION
    // In this ABI what a function takes by value is, where it cannot be copied
    // as bytes, a reference to an object of its caller's. Ours is one already,
    // so it can be handed on, and nothing is left to be done after the call.
    static_assert(!std::is_trivially_copyable<grpc_error_handle>::value, "");
    using Run = void (*)(void *, grpc_error_handle *);
    reinterpret_cast<Run>(reinterpret_cast<void *>(next_->cb))(next_->cb_arg,
                                                               error);
#else
    next_->cb(next_->cb_arg, std::move(*error));
#endif
  }

private:
  grpc_closure closure_;
  grpc_closure *next_;
  grpc_metadata_batch *metadata_;
};

} // namespace eown

#endif // EOWN_GRPC_HOOK_H
