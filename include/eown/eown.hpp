// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_EOWN_HPP
#define EOWN_EOWN_HPP

#include <grpcpp/client_context.h>
#include <grpcpp/server_context.h>

#include "eown/eown.h"
#include "eown/grpc.h"

// eown for gRPC C++ services whose channels and servers have the filters.
// Outbound calls made with grpc::ClientContext::FromServerContext need nothing
// of this; the rest is for those made with a plain ClientContext.
namespace eown {

// Returns the inbound context of a server call, borrowed as long as the call
// lives; null where the server has no filter. Thread-safe.
inline eown_context *ContextOf(grpc::ServerContextBase *server) {
  return eown_context_from_call(server->c_call());
}

// Makes an inbound context the thread's current one for as long as the scope
// lives: outbound calls started on this thread are tied to it. Scopes nest. The
// scope keeps the context alive.
class Scope {
public:
  explicit Scope(grpc::ServerContextBase *server) : Scope(ContextOf(server)) {}
  // `context` may be null: then outbound calls in the scope are tied to
  // nothing.
  explicit Scope(eown_context *context) {
    eown_context_enter(&scope_, context);
  }
  ~Scope() { eown_context_leave(&scope_); }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  eown_context_scope scope_;
};

// A reference to an inbound context that outlives its call and crosses threads:
// take it in the handler, enter a Scope with it where the outbound call starts.
class Context {
public:
  Context() = default;
  explicit Context(grpc::ServerContextBase *server)
      : context_(eown_context_ref(ContextOf(server))) {}
  Context(const Context &other) : context_(eown_context_ref(other.context_)) {}
  Context(Context &&other) noexcept : context_(other.context_) {
    other.context_ = nullptr;
  }
  Context &operator=(Context other) noexcept {
    eown_context *mine = context_;
    context_ = other.context_;
    other.context_ = mine;
    return *this;
  }
  ~Context() { eown_context_unref(context_); }
  eown_context *get() const { return context_; }

private:
  eown_context *context_ = nullptr;
};

} // namespace eown

#endif // EOWN_EOWN_HPP
