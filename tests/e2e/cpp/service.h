// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_SERVICE_H
#define EOWN_TESTS_E2E_CPP_SERVICE_H

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>

#include "eown/interop/v1/node.grpc.pb.h"

namespace e2e {

using eown::interop::v1::CallReply;
using eown::interop::v1::CallRequest;
using eown::interop::v1::Node;

// How a handler makes its outbound call: with the request it got.
using Outbound = std::function<grpc::Status(grpc::ServerContext *, Node::Stub *,
                                            const CallRequest &, CallReply *)>;

// The ways to tie an outbound call to its inbound.
grpc::Status FromServerContext(grpc::ServerContext *, Node::Stub *,
                               const CallRequest &, CallReply *);
grpc::Status InScope(grpc::ServerContext *, Node::Stub *, const CallRequest &,
                     CallReply *);
grpc::Status OnAnotherThread(grpc::ServerContext *, Node::Stub *,
                             const CallRequest &, CallReply *);
// None of them: the context is lost.
grpc::Status Untied(grpc::ServerContext *, Node::Stub *, const CallRequest &,
                    CallReply *);

// A server with eown in mode enforce, whose service calls `callee` (port 0: it
// fails by itself) with one retry.
class Server {
public:
  Server(const std::string &name, int callee, Outbound outbound);
  ~Server();
  int port() const { return port_; }
  int served() const { return service_.served; }

private:
  class Service : public Node::Service {
  public:
    grpc::Status Call(grpc::ServerContext *context, const CallRequest *request,
                      CallReply *reply) override;
    std::unique_ptr<Node::Stub> stub; // null: none
    Outbound outbound;
    std::atomic<int> served{0};
  };

  Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// A channel's arguments: mode enforce and one retry.
grpc::ChannelArguments OneRetry();

// A channel to a server in this process; `arguments` are added to what every
// channel here has.
std::shared_ptr<grpc::Channel> Connect(int port,
                                       grpc::ChannelArguments arguments);

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_SERVICE_H
