// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// TieSyncHandlers: sync handlers need no line of their own.
#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

#include "claim.h"
#include "eown/eown.hpp"
#include "service.h"

namespace e2e {
namespace {

// Callbacks that the application has beside.
class Application : public grpc::Server::GlobalCallbacks {
public:
  void PreSynchronousRequest(grpc::ServerContext *context) override {
    before++;
    tied += eown_context_current() != nullptr &&
            eown_context_current() == eown::ContextOf(context);
  }
  void PostSynchronousRequest(grpc::ServerContext *) override {
    after++;
    tied += eown_context_current() != nullptr;
  }
  void UpdateArguments(grpc::ChannelArguments *) override { arguments++; }
  void PreServerStart(grpc::Server *) override { starts++; }
  void AddPort(grpc::Server *, const std::string &, grpc::ServerCredentials *,
               int port) override {
    ports += port != 0;
  }

  static std::atomic<int> before, after, tied, arguments, starts, ports;
};
std::atomic<int> Application::before, Application::after, Application::tied,
    Application::arguments, Application::starts, Application::ports;

struct Chain {
  explicit Chain(const Outbound &outbound)
      : c("C", 0, nullptr), b("B", c.port(), outbound),
        a("A", b.port(), outbound) {}

  Claim CallRoot() {
    auto stub = Node::NewStub(Connect(a.port(), NoRetries()));
    grpc::ClientContext context;
    CallReply reply;
    EXPECT_FALSE(stub->Call(&context, {}, &reply).ok());
    return ReadClaim(context);
  }

  Server c, b, a;
};

TEST(TieSyncHandlers, TiesPlainCallsOfTheHandlersThread) {
  Chain chain(Untied);
  Claim claim = chain.CallRoot();
  EXPECT_EQ(1, chain.a.served());
  EXPECT_EQ(1, chain.b.served());
  EXPECT_EQ(2, chain.c.served());
  EXPECT_EQ("unclaimed", claim.value);
  EXPECT_STREQ("C", claim.detail.owner_service);
}

TEST(TieSyncHandlers, AScopeOfNothingUntiesInside) {
  Chain chain([](grpc::ServerContext *inbound, Node::Stub *stub,
                 const CallRequest &request, CallReply *reply) {
    eown::Scope nothing(static_cast<eown_context *>(nullptr));
    return Untied(inbound, stub, request, reply);
  });
  EXPECT_EQ("claimed", chain.CallRoot().value);
  EXPECT_EQ(4, chain.c.served());
}

// gRPC answers for a handler that throws; its thread serves others later.
TEST(TieSyncHandlers, AHandlerThatThrowsLeavesNoTieBehind) {
  std::atomic<int> left{0};
  Server d("D", 0, nullptr);
  Server c("C", d.port(),
           [&left](grpc::ServerContext *inbound, Node::Stub *,
                   const CallRequest &, CallReply *) -> grpc::Status {
             left += eown_context_current() != eown::ContextOf(inbound);
             throw std::runtime_error("handler");
           });
  for (int i = 0; i < 20; i++) {
    auto stub = Node::NewStub(Connect(c.port(), NoRetries()));
    grpc::ClientContext context;
    CallReply reply;
    EXPECT_EQ(grpc::StatusCode::UNKNOWN,
              stub->Call(&context, {}, &reply).error_code());
    EXPECT_EQ("claimed", ReadClaim(context).value);
  }
  EXPECT_EQ(0, left);
}

TEST(TieSyncHandlers, RunsTheApplicationsOwnCallbacksInTheScope) {
  int before = Application::before, after = Application::after;
  int tied = Application::tied, starts = Application::starts;
  int arguments = Application::arguments, ports = Application::ports;
  {
    Chain chain(Untied);
    chain.CallRoot();
  } // the servers have shut down: all callbacks have run
  EXPECT_EQ(before + 4, Application::before);
  EXPECT_EQ(after + 4, Application::after);
  EXPECT_EQ(tied + 8, Application::tied);
  EXPECT_EQ(starts + 3, Application::starts);
  EXPECT_EQ(arguments + 3, Application::arguments);
  EXPECT_EQ(ports + 3, Application::ports);
}

} // namespace
} // namespace e2e

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (eown_grpc_init() != EOWN_ERROR_OK)
    return 1;
  eown::TieSyncHandlers(std::make_unique<e2e::Application>());
  return RUN_ALL_TESTS();
}
