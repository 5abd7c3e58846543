// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// How the reactors of a callback service's streams tie what they call to their
// inbound call: by a Scope in the reaction that starts the outbound call. The
// same lines serve both bindings; a service takes the Scope of the one it has.
#include <grpcpp/grpcpp.h>

#ifdef EXAMPLE_WITH_grpc
#include <eown/eown.hpp>
#endif
#ifdef EXAMPLE_WITH_grpcpp
#include <eown/grpcpp.hpp>
#endif

namespace example {

using Message = grpc::ByteBuffer; // stands for a service's own
// Starts an asynchronous outbound call, which ends in the function given.
void CallStock(std::function<void(grpc::Status)> ended);

// Calls stock for the inbound call and ends the stream as that ends.
template <typename Scope, typename Reactor>
void Forward(grpc::CallbackServerContext *inbound, Reactor *reactor) {
  Scope scope(inbound); // the one line
  CallStock([reactor](const grpc::Status &status) { reactor->Finish(status); });
}

// Server-streaming: starts in the handler.
template <typename Scope>
class Writes : public grpc::ServerWriteReactor<Message> {
public:
  explicit Writes(grpc::CallbackServerContext *inbound) {
    Forward<Scope>(inbound, this);
  }
  void OnDone() override { delete this; }
};

// Client-streaming: starts once all has been read, on a thread of gRPC's.
template <typename Scope>
class Reads : public grpc::ServerReadReactor<Message> {
public:
  explicit Reads(grpc::CallbackServerContext *inbound) : inbound_(inbound) {
    this->StartRead(&message_);
  }
  void OnReadDone(bool ok) override {
    if (ok)
      this->StartRead(&message_);
    else
      Forward<Scope>(inbound_, this);
  }
  void OnDone() override { delete this; }

private:
  grpc::CallbackServerContext *inbound_;
  Message message_;
};

// Both ways: the same.
template <typename Scope>
class Talks : public grpc::ServerBidiReactor<Message, Message> {
public:
  explicit Talks(grpc::CallbackServerContext *inbound) : inbound_(inbound) {
    this->StartRead(&message_);
  }
  void OnReadDone(bool ok) override {
    if (ok)
      this->StartRead(&message_);
    else
      Forward<Scope>(inbound_, this);
  }
  void OnDone() override { delete this; }

private:
  grpc::CallbackServerContext *inbound_;
  Message message_;
};

#ifdef EXAMPLE_WITH_grpc
template class Writes<eown::Scope>;
template class Reads<eown::Scope>;
template class Talks<eown::Scope>;
#endif
#ifdef EXAMPLE_WITH_grpcpp
template class Writes<eown::grpcpp::Scope>;
template class Reads<eown::grpcpp::Scope>;
template class Talks<eown::grpcpp::Scope>;
#endif

} // namespace example
