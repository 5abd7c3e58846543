// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_FORM_H
#define PEER_CPP_FORM_H

#include <memory>

#include <grpcpp/grpcpp.h>

#include "eown/interop/v1/node.grpc.pb.h"
#include "node.h"

namespace peer {

using NodeService = eown::interop::v1::Node;
constexpr char kNodePath[] = "/eown.interop.v1.Node/Call";

// A way to serve and to call that gRPC C++ has. It must outlive the server.
class Form {
public:
  virtual ~Form() = default;
  virtual void Register(grpc::ServerBuilder *builder) = 0;
  // The server runs; it has shut down.
  virtual void Start() {}
  virtual void Stop() {}
};

std::unique_ptr<Form> MakeSyncForm(Node *node);
std::unique_ptr<Form> MakeCallbackForm(Node *node);
std::unique_ptr<Form> MakeAsyncForm(Node *node);
std::unique_ptr<Form> MakeGenericForm(Node *node);

// The part of the service that is the same in every form.
class StatsService : public NodeService::Service {
public:
  void set_node(Node *node) { node_ = node; } // before it is registered
  grpc::Status Stats(grpc::ServerContext *context,
                     const eown::interop::v1::StatsRequest *request,
                     eown::interop::v1::StatsReply *reply) override;
  Node *node() const { return node_; }

private:
  Node *node_ = nullptr;
};

// A service with the one method /NAME/Call: what protoc's plugin makes for a
// name that is known when the program is built, for one that is not.
class NamedService : public grpc::Service {
public:
  // `path` must outlive it. Null `handler`: of an async method.
  NamedService(const std::string &path,
               grpc::internal::MethodHandler *handler) {
    AddMethod(new grpc::internal::RpcServiceMethod(
        path.c_str(), grpc::internal::RpcMethod::NORMAL_RPC, handler));
  }
};

// Registers both, but one alone where they serve the same path.
void RegisterBoth(grpc::ServerBuilder *builder, StatsService *service,
                  NamedService *named);

} // namespace peer

#endif // PEER_CPP_FORM_H
