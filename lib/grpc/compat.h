// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_COMPAT_H
#define EOWN_GRPC_COMPAT_H

// The one place that includes gRPC's internal headers and knows their versions.
// Written for and run against gRPC 1.51 (core 29).
#include <grpc/support/port_platform.h>

#include <grpc/grpc.h>
#include <grpc/support/alloc.h>
#include <grpc/support/log.h>
#include <grpc/support/string_util.h>

#include "src/core/ext/filters/client_channel/client_channel.h"
#include "src/core/ext/filters/client_channel/retry_service_config.h"
#include "src/core/ext/filters/client_channel/retry_throttle.h"
#include "src/core/lib/channel/channel_args.h"
#include "src/core/lib/channel/channel_stack.h"
#include "src/core/lib/channel/channel_stack_builder.h"
#include "src/core/lib/config/core_configuration.h"
#include "src/core/lib/debug/trace.h"
#include "src/core/lib/service_config/service_config_call_data.h"
#include "src/core/lib/surface/call.h"
#include "src/core/lib/transport/error_utils.h"
#include "src/core/lib/transport/metadata_batch.h"
#include "src/core/lib/uri/uri_parser.h"

#ifdef NDEBUG
#error "gRPC's packages are built without NDEBUG; so must this library be"
#endif

namespace eown {

// Access to a private member of gRPC's without changing its headers: an
// explicit instantiation may name private members. Each use says why it is
// needed.
template <typename Tag, typename Tag::type Member>
struct Access {
  friend typename Tag::type Reach(Tag) { return Member; }
};

// gRPC's call combiner runs the callbacks of one call one after the other, but
// libgrpc is not built with ThreadSanitizer, which therefore cannot see the
// order. A Turn tells it: a callback's accesses to `call` happen between the
// last Turn's end and this one's. Without ThreadSanitizer it is nothing.
#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
class Turn {
public:
  explicit Turn(void *call) : call_(call) { __tsan_acquire(call_); }
  ~Turn() { __tsan_release(call_); }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

private:
  void *call_;
};
// The same for what is written once and then only read, or read until it is
// destroyed: a channel's data by its calls, a call's place by its attempts.
inline void HandOver(void *written) { __tsan_release(written); }
inline void TakeOver(void *written) { __tsan_acquire(written); }
#else
class Turn {
public:
  explicit Turn(void *) {}
  ~Turn() {}
};
inline void HandOver(void *) {}
inline void TakeOver(void *) {}
#endif

// grpc_call_next_op in place, for it is called for every batch; where gRPC
// traces batches, the function itself.
inline void NextOp(grpc_call_element *elem,
                   grpc_transport_stream_op_batch *batch) {
  if (GRPC_TRACE_FLAG_ENABLED(grpc_trace_channel))
    return grpc_call_next_op(elem, batch);
  grpc_call_element *next = elem + 1;
  next->filter->start_transport_stream_op_batch(next, batch);
}

// Runs a callback that was intercepted. grpc_core::Closure::Run does the same,
// with a trace line and a copy of the error on the way.
inline void RunNext(grpc_closure *closure, grpc_error_handle *error) {
  closure->cb(closure->cb_arg, std::move(*error));
}

// GRPC_TRACE=eown logs every decision on the error path, one line each.
extern grpc_core::TraceFlag trace;

} // namespace eown

#endif // EOWN_GRPC_COMPAT_H
