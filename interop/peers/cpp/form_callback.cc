// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Callback handlers and callback outbound calls.
#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>

#include "form.h"
#include "inbound.h"

namespace peer {
namespace {

using Stub = grpc::TemplatedGenericStub<CallRequest, CallReply>;

// One call from its arrival to its answer; it deletes itself.
class Serving {
public:
  Serving(Node *node, grpc::CallbackServerContext *context,
          const CallRequest *request, CallReply *reply)
      : inbound_(node, context), request_(request), reply_(reply),
        reactor_(context->DefaultReactor()) {}

  grpc::ServerUnaryReactor *reactor() const { return reactor_; }

  // Calls the next callee, or answers where none is left.
  void Proceed() {
    if (Outbound *outbound = inbound_.Next()) {
      inbound_.RunTied(false, [&] { Call(outbound); });
      return;
    }
    reactor_->Finish(inbound_.Answer(reply_));
    delete this;
  }

private:
  void Call(Outbound *outbound) {
    const Callee &callee = *outbound->callee;
    Stub(callee.channel())
        .UnaryCall(outbound->context.get(), callee.path(), {}, request_,
                   &outbound->reply, [this, outbound](grpc::Status status) {
                     outbound->status = std::move(status);
                     Ended();
                   });
  }

  void Ended() {
    const std::chrono::milliseconds wait = inbound_.Ended();
    if (wait.count() == 0)
      return Proceed();
    alarm_.Set(std::chrono::system_clock::now() + wait,
               [this](bool) { Proceed(); });
  }

  Inbound inbound_;
  const CallRequest *const request_;
  CallReply *const reply_;
  grpc::ServerUnaryReactor *const reactor_;
  grpc::Alarm alarm_;
};

grpc::ServerUnaryReactor *Serve(Node *node,
                                grpc::CallbackServerContext *context,
                                const CallRequest *request, CallReply *reply) {
  auto *serving = new Serving(node, context, request, reply);
  grpc::ServerUnaryReactor *reactor = serving->reactor();
  serving->Proceed();
  return reactor;
}

class CallbackService
    : public NodeService::WithCallbackMethod_Call<StatsService> {
public:
  explicit CallbackService(Node *node) { set_node(node); }
  grpc::ServerUnaryReactor *Call(grpc::CallbackServerContext *context,
                                 const CallRequest *request,
                                 CallReply *reply) override {
    return Serve(node(), context, request, reply);
  }
};

class NamedCallbackService : public NamedService {
public:
  explicit NamedCallbackService(Node *node)
      : NamedService(node->path(), nullptr) {
    MarkMethodCallback(
        0, new grpc::internal::CallbackUnaryHandler<CallRequest, CallReply>(
               [node](grpc::CallbackServerContext *context,
                      const CallRequest *request, CallReply *reply) {
                 return Serve(node, context, request, reply);
               }));
  }
};

class CallbackForm : public Form {
public:
  explicit CallbackForm(Node *node) : service_(node), named_(node) {}
  void Register(grpc::ServerBuilder *builder) override {
    RegisterBoth(builder, &service_, &named_);
  }

private:
  CallbackService service_;
  NamedCallbackService named_;
};

} // namespace

std::unique_ptr<Form> MakeCallbackForm(Node *node) {
  return std::make_unique<CallbackForm>(node);
}

} // namespace peer
