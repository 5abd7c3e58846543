// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_HPP
#define EOWN_GRPCPP_HPP

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/channel_arguments.h>
#include <grpcpp/support/client_interceptor.h>
#include <grpcpp/support/server_interceptor.h>

#include <memory>
#include <string>
#include <vector>

#include "eown/context.h"
#include "eown/retry.hpp"
#include "eown/tie.hpp"

// eown for gRPC C++ services by interceptors: for any gRPC from 1.51 on, with
// its public headers alone. Where the filters (eown/grpc.h) fit the gRPC at
// hand they do more, for these sit above gRPC's retries and see calls, not
// attempts:
//
//   - a retry of gRPC's is stopped by the callee's pushback, not here;
//   - eown.retry_budget_* and eown.chain_stop hold for the application's own
//     loops (Retry), not for gRPC's retries;
//   - of attempts nothing is counted (outbound_attempts, outbound_retries,
//     retry_allowed, stopped_*, refused_* but no_policy and status), the number
//     in the detail of a claim is 0, and the claim of the last one counts;
//   - whether an error had its retry is read off the retry policy in force;
//   - `local` and `unreached` count calls that never had a connection. Where
//     other errors were made is not visible: they count as received_missing.
//
// A channel or server takes one of the two bindings, not both.
//
// Which outbound calls belong to which inbound call:
//
//   any server   calls with ClientContext::FromServerContext or
//                FromCallbackServerContext need nothing else
//   sync         plain calls started on the handler's own thread: nothing
//   callback     the same, in the handler itself; in a reaction (OnReadDone and
//                the like): one line, a Scope or Attach
//   async,       plain calls: one line, a Scope or Attach
//   generic
//
// The context travels as the call's census context, where gRPC hands it to
// calls with a parent. A tracing library's own stays in its place, and the ties
// hold; but a library that reads another's census context as its own must not
// be mixed with eown where it takes part in the client alone.
//
// Settings are the channel arguments "eown.mode" and so on, for servers too. A
// bad one is logged to standard error with its key, its value and what was
// expected, and the default stays in force. The environment sets defaults
// (EOWN_SERVICE_NAME and so on); EOWN_MODE wins over "eown.mode" everywhere.
namespace eown::grpcpp {

#define EOWN_GRPCPP_API __attribute__((visibility("default")))

using ServerCreators = std::vector<
    std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>;
using ClientCreators = std::vector<
    std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>>;

// Says what is wrong with the eown.* arguments: a sentence a line, each with
// key, value and what was expected; "" where nothing is.
EOWN_GRPCPP_API std::string Check(const grpc::ChannelArguments &settings);

// Gives the server that `builder` builds eown's interceptor, and those of `own`
// before it. A builder takes interceptors once: a service that sets its own
// adds ServerCreator at the end of them instead.
EOWN_GRPCPP_API void Install(grpc::ServerBuilder *builder,
                             const grpc::ChannelArguments &settings,
                             ServerCreators own = {});

// The server's interceptor alone. Never null. It belongs last: so it has the
// last word on what leaves.
EOWN_GRPCPP_API
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>
ServerCreator(const grpc::ChannelArguments &settings);

// Makes a channel with eown's interceptor, and those of `own` before it. A
// retry policy in `arguments` (GRPC_ARG_SERVICE_CONFIG) or one that the
// resolver sends is heeded.
EOWN_GRPCPP_API std::shared_ptr<grpc::Channel>
CreateChannel(const std::string &target,
              const std::shared_ptr<grpc::ChannelCredentials> &credentials,
              const grpc::ChannelArguments &arguments, ClientCreators own = {});

// The channel's interceptor alone, for the same `arguments` as the channel's.
// Never null. It belongs last: nearest to the wire.
EOWN_GRPCPP_API
std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>
ClientCreator(const grpc::ChannelArguments &arguments);

// Returns the inbound context of a server call, borrowed as long as `server`
// lives; null where the server has no interceptor, its mode is off or the call
// has not come in yet. Thread-safe.
EOWN_GRPCPP_API eown_context *ContextOf(const grpc::ServerContextBase *server);

// Ties the outbound call that `client` is about to make to an inbound, whatever
// its parent or the thread says. Call it before the outbound call is made, and
// make that while the inbound lives (else: Context and Scope). It takes the
// place of `set_census_context`. Without a context nothing happens.
EOWN_GRPCPP_API void Attach(grpc::ClientContext *client,
                            const grpc::ServerContextBase *server);
EOWN_GRPCPP_API void Attach(grpc::ClientContext *client, eown_context *context);

inline eown_context *FindContext(grpc::ServerContextBase *server) {
  return ContextOf(server);
}

namespace internal {

// What a retry loop needs of the interceptor. The interceptor finds the loop by
// the call's ClientContext, in a table of fixed size; where that is full, the
// loop serves the call as one on a channel without eown.
EOWN_GRPCPP_API void *Watch(const grpc::ClientContext *client,
                            eown_retry_end *seen);
EOWN_GRPCPP_API void Unwatch(void *place);

class InterceptorLoop {
public:
  ~InterceptorLoop() { Unwatch(place_); }
  static eown_context *Find(const grpc::ServerContextBase *server) {
    return server == nullptr ? nullptr : ContextOf(server);
  }
  void Begin(const grpc::ClientContext *client) {
    Unwatch(place_);
    seen_ = {};
    place_ = Watch(client, &seen_);
  }
  EOWN_GRPCPP_API void Read(const grpc::ClientContext *client,
                            eown_retry_end *end);

private:
  void *place_ = nullptr;
  eown_retry_end seen_ = {};
};

} // namespace internal

// The application's own retry loop (eown/retry.hpp).
using Retry = BasicRetry<internal::InterceptorLoop>;

// As eown::Scope and eown::Context of the filters' header.
using Scope = BasicScope<FindContext>;
using Context = BasicContext<FindContext>;

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_HPP
