// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The public functions: the two factories, and what gives them to gRPC.
#include <grpcpp/create_channel.h>

#include <atomic>
#include <new>
#include <string>

#include "client_interceptor.h"
#include "eown/grpcpp.hpp"
#include "order.h"
#include "process.h"
#include "server_interceptor.h"
#include "ties.h"

namespace eown::grpcpp {
namespace {

using grpc::experimental::ClientInterceptorFactoryInterface;
using grpc::experimental::ClientRpcInfo;
using grpc::experimental::Interceptor;
using grpc::experimental::ServerInterceptorFactoryInterface;
using grpc::experimental::ServerRpcInfo;

class ServerFactory final : public ServerInterceptorFactoryInterface {
public:
  explicit ServerFactory(const grpc::ChannelArguments &settings)
      : service_(settings) {
    service_.options.Report();
    HandOver(&service_);
  }
  ~ServerFactory() override { TakeOver(&service_); }

  Interceptor *CreateServerInterceptor(ServerRpcInfo *info) override {
    TakeOver(&service_);
    eown_mode mode = service_.options.mode();
    if (mode == EOWN_MODE_OFF)
      return nullptr;
    auto *made = new (std::nothrow) ServerInterceptor(&service_, mode, info);
    if (made == nullptr)
      eown_count(EOWN_COUNTER_no_memory);
    return made;
  }

private:
  const Service service_;
};

class ClientFactory final : public ClientInterceptorFactoryInterface {
public:
  ClientFactory(const grpc::ChannelArguments &arguments,
                const std::string &target)
      : outbounds_(arguments, target) {
    outbounds_.options.Report();
    HandOver(&outbounds_);
  }
  ~ClientFactory() override { TakeOver(&outbounds_); }

  Interceptor *CreateClientInterceptor(ClientRpcInfo *info) override {
    TakeOver(&outbounds_);
    return outbounds_.options.mode() == EOWN_MODE_OFF
               ? nullptr
               : ClientInterceptor::Make(&outbounds_, info);
  }

private:
  Outbounds outbounds_;
};

} // namespace

std::string Check(const grpc::ChannelArguments &settings) {
  const Options options(settings);
  std::string lines;
  for (const std::string &problem : options.problems())
    lines += (lines.empty() ? "" : "\n") + problem;
  return lines;
}

std::unique_ptr<ServerInterceptorFactoryInterface>
ServerCreator(const grpc::ChannelArguments &settings) {
  Prepare();
  SetProcessHasServer();
  return std::make_unique<ServerFactory>(settings);
}

void Install(grpc::ServerBuilder *builder,
             const grpc::ChannelArguments &settings, ServerCreators own) {
  own.push_back(ServerCreator(settings));
  builder->experimental().SetInterceptorCreators(std::move(own));
}

// Where the target is not known, a channel has a budget of its own.
std::unique_ptr<ClientInterceptorFactoryInterface>
ClientCreator(const grpc::ChannelArguments &arguments) {
  static std::atomic<unsigned> channels{0};
  Prepare();
  return std::make_unique<ClientFactory>(
      arguments, "channel " + std::to_string(++channels));
}

std::shared_ptr<grpc::Channel>
CreateChannel(const std::string &target,
              const std::shared_ptr<grpc::ChannelCredentials> &credentials,
              const grpc::ChannelArguments &arguments, ClientCreators own) {
  Prepare();
  own.push_back(std::make_unique<ClientFactory>(arguments, target));
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      target, credentials, arguments, std::move(own));
}

eown_context *ContextOf(const grpc::ServerContextBase *server) {
  eown_context *context = Find(server->census_context());
  if (context != nullptr)
    TakeOver(context);
  return context;
}

void Attach(grpc::ClientContext *client,
            const grpc::ServerContextBase *server) {
  Attach(client, ContextOf(server));
}

void Attach(grpc::ClientContext *client, eown_context *context) {
  if (context != nullptr)
    client->set_census_context(reinterpret_cast<census_context *>(context));
}

} // namespace eown::grpcpp
