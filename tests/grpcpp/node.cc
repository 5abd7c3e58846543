// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "node.h"

grpc::ChannelArguments Arguments(const Keys &keys, int attempts) {
  grpc::ChannelArguments arguments;
  for (const auto &[key, value] : keys)
    arguments.SetString(key, value);
  // gRPC 1.83 never retries where the time to wait comes out as 0 ms.
  if (attempts > 1)
    arguments.SetServiceConfigJSON(
        R"({"methodConfig":[{"name":[{}],"retryPolicy":{"maxAttempts":)" +
        std::to_string(attempts) +
        R"(,"initialBackoff":"0.01s","maxBackoff":"0.01s",)"
        R"("backoffMultiplier":1,)"
        R"("retryableStatusCodes":["UNAVAILABLE","INTERNAL"]}}]})");
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

Node::Node(Form form, const Keys &keys, eown::grpcpp::ServerCreators own) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port_);
  Register(form, &builder);
  if (!keys.empty())
    eown::grpcpp::Install(&builder, Arguments(keys), std::move(own));
  server_ = builder.BuildAndStart();
  if (queue_ != nullptr)
    queue_->Start();
}

void Node::Register(Form form, grpc::ServerBuilder *builder) {
  switch (form) {
  case Form::kSync:
    builder->RegisterService(&sync_);
    break;
  case Form::kCallback:
    builder->RegisterService(&callback_);
    break;
  case Form::kGenericCallback:
    builder->RegisterCallbackGenericService(&generic_callback_);
    break;
  case Form::kAsync:
    builder->RegisterService(&async_);
    queue_ = std::make_unique<Queue>(&plan, &async_, nullptr,
                                     builder->AddCompletionQueue());
    break;
  case Form::kGenericAsync:
    builder->RegisterAsyncGenericService(&generic_);
    queue_ = std::make_unique<Queue>(&plan, nullptr, &generic_,
                                     builder->AddCompletionQueue());
    break;
  }
}

Node::~Node() {
  server_->Shutdown();
  if (queue_ != nullptr)
    queue_->Stop();
}

std::shared_ptr<grpc::Channel>
Node::Channel(const Keys &keys, int attempts,
              eown::grpcpp::ClientCreators own) const {
  return eown::grpcpp::CreateChannel(target(),
                                     grpc::InsecureChannelCredentials(),
                                     Arguments(keys, attempts), std::move(own));
}

std::shared_ptr<grpc::Channel> Node::Stock(int attempts) const {
  return grpc::CreateCustomChannel(target(), grpc::InsecureChannelCredentials(),
                                   Arguments({}, attempts));
}
