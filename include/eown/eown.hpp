// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_EOWN_HPP
#define EOWN_EOWN_HPP

#include <grpcpp/client_context.h>
#include <grpcpp/server.h>
#include <grpcpp/server_context.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "eown/eown.h"
#include "eown/grpc.h"
#include "eown/retry.hpp"
#include "eown/tie.hpp"

// eown for gRPC C++ services whose channels and servers have the filters.
// Outbound calls made with grpc::ClientContext::FromServerContext need nothing
// of this; the rest is for those made with a plain ClientContext.
//
//   sync handlers        one line in main: TieSyncHandlers
//   callback, async and  one line where the outbound call starts: a Scope,
//   generic handlers,    with the server context, or with a Context on another
//   other threads        thread
namespace eown {

// Returns the inbound context of a server call, borrowed as long as the call
// lives; null where the server has no filter. Thread-safe.
inline eown_context *ContextOf(grpc::ServerContextBase *server) {
  return eown_context_from_call(server->c_call());
}

using Scope = BasicScope<ContextOf>;
using Context = BasicContext<ContextOf>;

namespace internal {

// What a retry loop needs of the filters.
class FilterLoop {
public:
  static eown_context *Find(const grpc::ServerContextBase *server) {
    return server == nullptr
               ? nullptr
               : eown_context_from_call(
                     const_cast<grpc::ServerContextBase *>(server)->c_call());
  }
  void Begin(const grpc::ClientContext *) {}
  void Read(grpc::ClientContext *client, eown_retry_end *end) {
    eown_grpc_retry_read(client->c_call(), end);
  }
};

} // namespace internal

// The application's own retry loop (eown/retry.hpp).
using Retry = BasicRetry<internal::FilterLoop>;

namespace internal {

// gRPC runs these around every sync handler, on the handler's own thread.
class SyncTies final : public grpc::Server::GlobalCallbacks {
public:
  explicit SyncTies(std::unique_ptr<GlobalCallbacks> own)
      : own_(std::move(own)) {}

  void PreSynchronousRequest(grpc::ServerContext *context) override {
    Tie().emplace(context);
    if (own_ != nullptr)
      own_->PreSynchronousRequest(context);
  }
  void PostSynchronousRequest(grpc::ServerContext *context) override {
    if (own_ != nullptr)
      own_->PostSynchronousRequest(context);
    Tie().reset();
  }

  void UpdateArguments(grpc::ChannelArguments *arguments) override {
    if (own_ != nullptr)
      own_->UpdateArguments(arguments);
  }
  void PreServerStart(grpc::Server *server) override {
    if (own_ != nullptr)
      own_->PreServerStart(server);
  }
  void AddPort(grpc::Server *server, const std::string &address,
               grpc::ServerCredentials *credentials, int port) override {
    if (own_ != nullptr)
      own_->AddPort(server, address, credentials, port);
  }

private:
  // A thread runs one sync handler at a time.
  static std::optional<Scope> &Tie() {
    static thread_local std::optional<Scope> tie;
    return tie;
  }

  const std::unique_ptr<GlobalCallbacks> own_;
};

} // namespace internal

// Makes every sync handler of the process a Scope of its inbound call: plain
// outbound calls started on the handler's own thread are tied without a line in
// the handler. Call it once, before the first server is built. It takes gRPC's
// one place for grpc::Server::SetGlobalCallbacks: an application that has
// callbacks of its own hands them over here instead of setting them (gRPC ends
// the process where they are set twice), and they run inside the scope.
inline void
TieSyncHandlers(std::unique_ptr<grpc::Server::GlobalCallbacks> own = nullptr) {
  // Not deleted here: gRPC has them until the process ends, and newer versions
  // never delete them.
  static auto *const ties = new internal::SyncTies(std::move(own));
  grpc::Server::SetGlobalCallbacks(ties);
}

} // namespace eown

#endif // EOWN_EOWN_HPP
