// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <grpcpp/support/server_callback.h>

#include "relay.h"

namespace relay {
namespace {

using Bytes = grpc::ByteBuffer;

class CallbackForm : public Form, public grpc::Service {
public:
  CallbackForm(const std::string &name, bool parent, Callee *callee)
      : path_("/" + name + "/Call"), parent_(parent), callee_(callee) {
    AddMethod(new grpc::internal::RpcServiceMethod(
        path_.c_str(), grpc::internal::RpcMethod::NORMAL_RPC, nullptr));
    MarkMethodCallback(
        0,
        new grpc::internal::CallbackUnaryHandler<Bytes, Bytes>(
            [this](grpc::CallbackServerContext *context, const Bytes *request,
                   Bytes *reply) { return Serve(context, request, reply); }));
  }
  void Register(grpc::ServerBuilder *builder) override {
    builder->RegisterService(this);
  }

private:
  grpc::ServerUnaryReactor *Serve(grpc::CallbackServerContext *context,
                                  const Bytes *request, Bytes *reply) {
    grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
    std::shared_ptr<grpc::ClientContext> outbound =
        parent_ ? grpc::ClientContext::FromCallbackServerContext(*context)
                : std::make_unique<grpc::ClientContext>();
    callee_->Start(outbound.get(), request, reply,
                   [reactor, outbound](const grpc::Status &status) {
                     reactor->Finish(status);
                   });
    return reactor;
  }

  const std::string path_;
  const bool parent_;
  Callee *const callee_;
};

} // namespace

std::unique_ptr<Form> MakeCallback(const std::string &form,
                                   const std::string &name, Callee *callee) {
  return std::make_unique<CallbackForm>(name, form == "callback-parent",
                                        callee);
}

} // namespace relay
