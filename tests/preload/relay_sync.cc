// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <grpcpp/support/method_handler.h>

#include "relay.h"

namespace relay {
namespace {

using Bytes = grpc::ByteBuffer;
using Handler =
    std::function<grpc::Status(grpc::ServerContext *, const Bytes *, Bytes *)>;

class SyncService : public grpc::Service {
public:
  SyncService(const std::string &path, Handler handler)
      : path_(path), handler_(std::move(handler)) {
    AddMethod(new grpc::internal::RpcServiceMethod(
        path_.c_str(), grpc::internal::RpcMethod::NORMAL_RPC,
        new grpc::internal::RpcMethodHandler<SyncService, Bytes, Bytes>(
            [](SyncService *self, grpc::ServerContext *context,
               const Bytes *request, Bytes *reply) {
              return self->handler_(context, request, reply);
            },
            this)));
  }

private:
  const std::string path_;
  const Handler handler_;
};

Handler MakeHandler(const std::string &form, Callee *callee) {
  if (form == "parent")
    return [callee](grpc::ServerContext *inbound, const Bytes *request,
                    Bytes *reply) {
      auto outbound = grpc::ClientContext::FromServerContext(*inbound);
      return callee->Call(outbound.get(), *request, reply);
    };
  Handler plain = [callee](grpc::ServerContext *, const Bytes *request,
                           Bytes *reply) {
    grpc::ClientContext outbound;
    return callee->Call(&outbound, *request, reply);
  };
  if (form == "plain")
    return plain;
  return [plain](grpc::ServerContext *inbound, const Bytes *request,
                 Bytes *reply) {
    grpc::Status status;
    std::thread([&] { status = plain(inbound, request, reply); }).join();
    return status;
  };
}

class SyncForm : public Form {
public:
  SyncForm(const std::string &name, Handler handler)
      : service_("/" + name + "/Call", std::move(handler)) {}
  void Register(grpc::ServerBuilder *builder) override {
    builder->RegisterService(&service_);
  }

private:
  SyncService service_;
};

} // namespace

std::unique_ptr<Form> MakeSync(const std::string &form, const std::string &name,
                               Callee *callee) {
  return std::make_unique<SyncForm>(name, MakeHandler(form, callee));
}

} // namespace relay
