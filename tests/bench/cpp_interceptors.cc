// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "cpp_interceptors.h"

namespace bench {
namespace {

using grpc::experimental::ClientInterceptorFactoryInterface;
using grpc::experimental::ClientRpcInfo;
using grpc::experimental::Interceptor;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerInterceptorFactoryInterface;
using grpc::experimental::ServerRpcInfo;

class Nothing : public Interceptor {
public:
  void Intercept(InterceptorBatchMethods *methods) override {
    methods->Proceed();
  }
};

class ClientFactory : public ClientInterceptorFactoryInterface {
public:
  Interceptor *CreateClientInterceptor(ClientRpcInfo *) override {
    return new Nothing;
  }
};

class ServerFactory : public ServerInterceptorFactoryInterface {
public:
  Interceptor *CreateServerInterceptor(ServerRpcInfo *) override {
    return new Nothing;
  }
};

} // namespace

ClientFactories MakeClientFactories(bool wanted) {
  ClientFactories factories;
  if (wanted)
    factories.push_back(std::make_unique<ClientFactory>());
  return factories;
}

ServerFactories MakeServerFactories(bool wanted) {
  ServerFactories factories;
  if (wanted)
    factories.push_back(std::make_unique<ServerFactory>());
  return factories;
}

} // namespace bench
