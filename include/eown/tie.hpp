// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TIE_HPP
#define EOWN_TIE_HPP

#include <grpcpp/server_context.h>

#include "eown/context.h"

// What both C++ headers have in common. `Find` is the binding's own way from a
// server call to its inbound context; it may return null.
namespace eown {

// Makes an inbound context the thread's current one for as long as the scope
// lives: outbound calls started on this thread are tied to it. Scopes nest. The
// scope keeps the context alive.
template <eown_context *(*Find)(grpc::ServerContextBase *)>
class BasicScope {
public:
  explicit BasicScope(grpc::ServerContextBase *server)
      : BasicScope(Find(server)) {}
  // `context` may be null: then outbound calls in the scope are tied to
  // nothing.
  explicit BasicScope(eown_context *context) {
    eown_context_enter(&scope_, context);
  }
  ~BasicScope() { eown_context_leave(&scope_); }
  BasicScope(const BasicScope &) = delete;
  BasicScope &operator=(const BasicScope &) = delete;

private:
  eown_context_scope scope_;
};

// A reference to an inbound context that outlives its call and crosses threads:
// take it in the handler, enter a Scope with it where the outbound call starts.
template <eown_context *(*Find)(grpc::ServerContextBase *)>
class BasicContext {
public:
  BasicContext() = default;
  explicit BasicContext(grpc::ServerContextBase *server)
      : context_(eown_context_ref(Find(server))) {}
  BasicContext(const BasicContext &other)
      : context_(eown_context_ref(other.context_)) {}
  BasicContext(BasicContext &&other) noexcept : context_(other.context_) {
    other.context_ = nullptr;
  }
  BasicContext &operator=(BasicContext other) noexcept {
    eown_context *mine = context_;
    context_ = other.context_;
    other.context_ = mine;
    return *this;
  }
  ~BasicContext() { eown_context_unref(context_); }
  eown_context *get() const { return context_; }

private:
  eown_context *context_ = nullptr;
};

} // namespace eown

#endif // EOWN_TIE_HPP
