// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/client_unary_call.h>

#include "relay.h"

namespace relay {
namespace {

constexpr char kOneRetry[] = R"({"methodConfig": [{
  "name": [{}],
  "retryPolicy": {
    "maxAttempts": 2,
    "initialBackoff": "0.001s",
    "maxBackoff": "0.001s",
    "backoffMultiplier": 1,
    "retryableStatusCodes": ["UNAVAILABLE"]
  }
}]})";

std::shared_ptr<grpc::Channel> Connect(const std::string &target) {
  grpc::ChannelArguments arguments;
  arguments.SetServiceConfigJSON(kOneRetry);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(),
                                   arguments);
}

} // namespace

Callee::Callee(const std::string &word)
    : path_("/" + word.substr(0, word.find('=')) + "/Call"),
      channel_(Connect(word.substr(word.find('=') + 1))),
      method_(path_.c_str(), grpc::internal::RpcMethod::NORMAL_RPC, channel_) {}

grpc::Status Callee::Call(grpc::ClientContext *context,
                          const grpc::ByteBuffer &request,
                          grpc::ByteBuffer *reply) {
  return grpc::internal::BlockingUnaryCall(channel_.get(), method_, context,
                                           request, reply);
}

void Callee::Start(grpc::ClientContext *context,
                   const grpc::ByteBuffer *request, grpc::ByteBuffer *reply,
                   std::function<void(const grpc::Status &)> ended) {
  grpc::GenericStub(channel_).UnaryCall(context, path_, {}, request, reply,
                                        std::move(ended));
}

} // namespace relay
