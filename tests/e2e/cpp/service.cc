// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <thread>
#include <utility>

#include "eown/eown.hpp"

namespace e2e {
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

} // namespace

grpc::Status FromServerContext(grpc::ServerContext *inbound, Node::Stub *stub,
                               const CallRequest &request, CallReply *reply) {
  auto outbound = grpc::ClientContext::FromServerContext(*inbound);
  return stub->Call(outbound.get(), request, reply);
}

grpc::Status InScope(grpc::ServerContext *inbound, Node::Stub *stub,
                     const CallRequest &request, CallReply *reply) {
  eown::Scope scope(inbound);
  grpc::ClientContext outbound;
  return stub->Call(&outbound, request, reply);
}

grpc::Status OnAnotherThread(grpc::ServerContext *inbound, Node::Stub *stub,
                             const CallRequest &request, CallReply *reply) {
  grpc::Status status;
  std::thread thread([&, context = eown::Context(inbound)] {
    eown::Scope scope(context.get());
    grpc::ClientContext outbound;
    status = stub->Call(&outbound, request, reply);
  });
  thread.join();
  return status;
}

grpc::Status Untied(grpc::ServerContext *, Node::Stub *stub,
                    const CallRequest &request, CallReply *reply) {
  grpc::ClientContext outbound;
  return stub->Call(&outbound, request, reply);
}

grpc::Status Server::Service::Call(grpc::ServerContext *context,
                                   const CallRequest *request,
                                   CallReply *reply) {
  served++;
  if (stub == nullptr)
    return {grpc::StatusCode::UNAVAILABLE, "fails by itself"};
  return outbound(context, stub.get(), *request, reply);
}

Server::Server(const std::string &name, int callee, Outbound outbound) {
  if (callee != 0)
    service_.stub = Node::NewStub(Connect(callee, OneRetry()));
  service_.outbound = std::move(outbound);
  grpc::ServerBuilder builder;
  builder.AddChannelArgument("eown.mode", "enforce");
  builder.AddChannelArgument("eown.service_name", name);
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port_);
  builder.RegisterService(&service_);
  server_ = builder.BuildAndStart();
}

Server::~Server() {
  server_->Shutdown();
  server_->Wait();
}

grpc::ChannelArguments OneRetry() {
  grpc::ChannelArguments arguments;
  arguments.SetString("eown.mode", "enforce");
  arguments.SetServiceConfigJSON(kOneRetry);
  return arguments;
}

std::shared_ptr<grpc::Channel> Connect(int port,
                                       grpc::ChannelArguments arguments) {
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port),
                                   grpc::InsecureChannelCredentials(),
                                   arguments);
}

} // namespace e2e
