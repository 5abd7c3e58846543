// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Sync handlers, blocking outbound calls.
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/rpc_method.h>
#include <grpcpp/support/method_handler.h>

#include <thread>

#include "form.h"
#include "inbound.h"

namespace peer {
namespace {

void Call(Outbound *outbound, const CallRequest &request) {
  const Callee &callee = *outbound->callee;
  grpc::internal::RpcMethod method(callee.path().c_str(),
                                   grpc::internal::RpcMethod::NORMAL_RPC);
  outbound->status = grpc::internal::BlockingUnaryCall(
      callee.channel().get(), method, outbound->context.get(), request,
      &outbound->reply);
}

class SyncService : public StatsService {
public:
  explicit SyncService(Node *node) { set_node(node); }
  grpc::Status Call(grpc::ServerContext *context, const CallRequest *request,
                    CallReply *reply) override {
    Inbound inbound(node(), context);
    while (Outbound *outbound = inbound.Next()) {
      inbound.RunTied(true, [&] { peer::Call(outbound, *request); });
      std::this_thread::sleep_for(inbound.Ended());
    }
    return inbound.Answer(reply);
  }
};

grpc::internal::MethodHandler *HandlerOf(SyncService *service) {
  return new grpc::internal::RpcMethodHandler<SyncService, CallRequest,
                                              CallReply>(
      [](SyncService *self, grpc::ServerContext *context,
         const CallRequest *request,
         CallReply *reply) { return self->Call(context, request, reply); },
      service);
}

class SyncForm : public Form {
public:
  explicit SyncForm(Node *node)
      : service_(node), named_(node->path(), HandlerOf(&service_)) {}
  void Register(grpc::ServerBuilder *builder) override {
    RegisterBoth(builder, &service_, &named_);
  }

private:
  SyncService service_;
  NamedService named_;
};

} // namespace

std::unique_ptr<Form> MakeSyncForm(Node *node) {
  return std::make_unique<SyncForm>(node);
}

} // namespace peer
