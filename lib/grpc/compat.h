// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_COMPAT_H
#define EOWN_GRPC_COMPAT_H

// The one place that includes gRPC's internal headers and, with
// compat_context.h and compat_stack.h, knows their versions. Written for gRPC
// 1.51 (core 29); what later versions changed is behind EOWN_GRPC_SINCE.
#include <grpc/support/port_platform.h>

#include <grpc/grpc.h>
#include <grpc/support/alloc.h>
#include <grpc/support/log.h>
#include <grpc/support/string_util.h>

#include "include/grpcpp/version_info.h" // of the source tree; numbers only

// Whether the source tree is of gRPC 1.`minor` or later.
#define EOWN_GRPC_SINCE(minor)                                                 \
  (GRPC_CPP_VERSION_MAJOR > 1 || GRPC_CPP_VERSION_MINOR >= (minor))

#if !EOWN_GRPC_SINCE(51)
#error "gRPC 1.51 or later is needed"
#endif

// Headers that moved and kept what is in them.
#if EOWN_GRPC_SINCE(62)
#include "src/core/client_channel/retry_service_config.h"
#include "src/core/service_config/service_config_call_data.h"
#else
#include "src/core/ext/filters/client_channel/retry_service_config.h"
#include "src/core/lib/service_config/service_config_call_data.h"
#endif
#if EOWN_GRPC_SINCE(70)
#include "src/core/client_channel/client_channel_args.h"
#elif EOWN_GRPC_SINCE(62)
#include "src/core/client_channel/client_channel_filter.h"
#else
#include "src/core/ext/filters/client_channel/client_channel.h"
#endif
#if EOWN_GRPC_SINCE(69)
#include "src/core/config/core_configuration.h"
#else
#include "src/core/lib/config/core_configuration.h"
#endif
#if EOWN_GRPC_SINCE(72)
#include "src/core/call/metadata_batch.h"
#else
#include "src/core/lib/transport/metadata_batch.h"
#endif
#include "src/core/lib/channel/channel_args.h"
#include "src/core/lib/channel/channel_stack.h"
#include "src/core/lib/channel/channel_stack_builder.h"
#include "src/core/lib/debug/trace.h"
#include "src/core/lib/surface/call.h"
#include "src/core/lib/transport/error_utils.h"

#if defined(NDEBUG) && !defined(EOWN_GRPC_FROM_SOURCE)
#error "gRPC's packages are built without NDEBUG; so must this library be"
#endif

namespace eown {

#if EOWN_GRPC_SINCE(82)
namespace retry = grpc_core;
#else
namespace retry = grpc_core::internal;
#endif

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

// --- logging ---------------------------------------------------------------

// GRPC_TRACE=eown logs every decision on the error path, one line each. Since
// 1.65 gRPC knows only the names that were there when it was built.
#if EOWN_GRPC_SINCE(65)
extern bool trace;
inline bool Tracing() { return trace; }
inline bool TracingBatches() { return GRPC_TRACE_FLAG_ENABLED(channel); }
#else
extern grpc_core::TraceFlag trace;
inline bool Tracing() { return GRPC_TRACE_FLAG_ENABLED(trace); }
inline bool TracingBatches() {
  return GRPC_TRACE_FLAG_ENABLED(grpc_trace_channel);
}
#endif
// Looks for eown in GRPC_TRACE where gRPC itself does not.
void ReadTrace();

#if EOWN_GRPC_SINCE(67)
void Log(bool error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define EOWN_LOG_ERROR(...) ::eown::Log(true, __VA_ARGS__)
#define EOWN_LOG_INFO(...) ::eown::Log(false, __VA_ARGS__)
#else
#define EOWN_LOG_ERROR(...) gpr_log(GPR_ERROR, __VA_ARGS__)
#define EOWN_LOG_INFO(...) gpr_log(GPR_INFO, __VA_ARGS__)
#endif

// --- batches ---------------------------------------------------------------

// grpc_call_next_op in place, for it is called for every batch; where gRPC
// traces batches, the function itself.
inline void NextOp(grpc_call_element *elem,
                   grpc_transport_stream_op_batch *batch) {
  if (TracingBatches())
    return grpc_call_next_op(elem, batch);
  grpc_call_element *next = elem + 1;
  next->filter->start_transport_stream_op_batch(next, batch);
}

} // namespace eown

#endif // EOWN_GRPC_COMPAT_H
