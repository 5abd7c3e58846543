// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// A thread's context belongs to one call and never stays behind.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "call.h"
#include "eown/counters.h"
#include "node.h"

namespace {

const Keys kEnforce = {{"eown.mode", "enforce"}};

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::Interceptor;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerInterceptorFactoryInterface;
using grpc::experimental::ServerRpcInfo;

// Counts the handlers that run with another context than their call's.
struct Watch {
  void operator()(grpc::ServerContextBase *server) {
    eown_context *own = eown::grpcpp::ContextOf(server);
    if (eown_context_current() != own)
      (*wrong)++;
    if (own == nullptr)
      (*without)++;
  }
  std::atomic<int> *wrong;
  std::atomic<int> *without;
};

void Storm(const std::vector<std::shared_ptr<grpc::Channel>> &channels,
           Method method, int calls) {
  std::vector<std::thread> threads;
  for (const auto &channel : channels)
    threads.emplace_back([channel, method, calls] {
      for (int i = 0; i < calls; i++)
        Call(channel, method);
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Servers with eown and without, whose calls share gRPC's threads.
void Mixed(Form form, Method method) {
  std::atomic<int> wrong{0}, without{0};
  Node with(form, kEnforce), stock(form, {}), callee(form, kEnforce);
  with.plan.touch = stock.plan.touch = Watch{&wrong, &without};
  with.plan.callee = callee.Channel(kEnforce, 2);
  callee.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  Storm({with.Stock(), stock.Stock(), with.Stock(), stock.Stock()}, method, 50);
  EXPECT_EQ(with.plan.served, 100);
  EXPECT_EQ(stock.plan.served, 100);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(without, 100); // the stock server's
}

TEST(Threads, SyncHandlersSeeTheirOwnContext) {
  Mixed(Form::kSync, Method::kUnary);
  Mixed(Form::kSync, Method::kDownload);
  Mixed(Form::kSync, Method::kUpload);
  Mixed(Form::kSync, Method::kChat);
}

TEST(Threads, CallbackHandlersSeeTheirOwnContext) {
  Mixed(Form::kCallback, Method::kUnary);
  Mixed(Form::kCallback, Method::kDownload);
}

// An interceptor of the application's that goes on on another thread.
class Elsewhere final : public Interceptor {
public:
  void Intercept(InterceptorBatchMethods *methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::POST_RECV_INITIAL_METADATA))
      std::thread([methods] { methods->Proceed(); }).detach();
    else
      methods->Proceed();
  }
};

template <typename T>
class Factory final : public ServerInterceptorFactoryInterface {
public:
  Interceptor *CreateServerInterceptor(ServerRpcInfo *) override {
    return new T;
  }
};

TEST(Threads, AHandlerThatWasMovedHasNoneAndNoneStaysBehind) {
  eown::grpcpp::ServerCreators own;
  own.push_back(std::make_unique<Factory<Elsewhere>>());
  Node moved(Form::kSync, kEnforce, std::move(own)), node(Form::kSync, {});
  std::atomic<int> current{0}, without{0}, wrong{0};
  moved.plan.touch = [&](grpc::ServerContextBase *server) {
    current += eown_context_current() != nullptr;
    without += eown::grpcpp::ContextOf(server) == nullptr;
  };
  node.plan.touch = Watch{&wrong, &without};
  moved.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  for (int i = 0; i < 20; i++) {
    EXPECT_EQ(Call(moved.Stock()).Values("error-claim"), "claimed");
    Call(node.Stock());
  }
  EXPECT_EQ(current, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(without, 20); // the stock server's
}

// Interceptors beside ours keep their place and see what they would see.
class Beside final : public Interceptor {
public:
  void Intercept(InterceptorBatchMethods *methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::PRE_SEND_STATUS))
      methods->GetSendTrailingMetadata()->emplace("beside", "here");
    methods->Proceed();
  }
};

TEST(Threads, OtherInterceptorsRunAlongside) {
  eown::grpcpp::ServerCreators own;
  own.push_back(std::make_unique<Factory<Beside>>());
  Node node(Form::kCallback, kEnforce, std::move(own));
  node.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  Result result = Call(node.Stock());
  EXPECT_EQ(result.Values("beside"), "here");
  EXPECT_EQ(result.Values("error-claim"), "claimed");
}

// The once-only hook of the process is the application's.
class Hooks final : public grpc::Server::GlobalCallbacks {
public:
  void PreSynchronousRequest(grpc::ServerContext *) override { before++; }
  void PostSynchronousRequest(grpc::ServerContext *) override { after++; }
  static std::atomic<int> before, after;
};
std::atomic<int> Hooks::before{0};
std::atomic<int> Hooks::after{0};

TEST(Threads, TheApplicationsGlobalCallbacksStay) {
  int before = Hooks::before;
  Node node(Form::kSync, kEnforce);
  Call(node.Stock());
  EXPECT_EQ(Hooks::before, before + 1);
}

// A tracing library's own census context in the calls of a server.
class Tracing final : public Interceptor {
public:
  Tracing(ServerRpcInfo *info, bool shared) : info_(info), shared_(shared) {}
  void Intercept(InterceptorBatchMethods *methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::POST_RECV_INITIAL_METADATA))
      grpc_census_call_set_context(info_->server_context()->c_call(), Value());
    methods->Proceed();
  }

private:
  census_context *Value() {
    static char one; // for all calls
    return shared_ ? reinterpret_cast<census_context *>(&one)
                   : reinterpret_cast<census_context *>(this);
  }

  ServerRpcInfo *info_;
  bool shared_;
};

class TracingFactory final : public ServerInterceptorFactoryInterface {
public:
  explicit TracingFactory(bool shared) : shared_(shared) {}
  Interceptor *CreateServerInterceptor(ServerRpcInfo *info) override {
    return new Tracing(info, shared_);
  }

private:
  bool shared_;
};

// A sync server with eown and a tracing library.
struct Traced {
  explicit Traced(bool shared) : service(&plan) {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&service);
    // Behind ours, it receives before ours.
    eown::grpcpp::ServerCreators creators;
    creators.push_back(eown::grpcpp::ServerCreator(Arguments(kEnforce)));
    creators.push_back(std::make_unique<TracingFactory>(shared));
    builder.experimental().SetInterceptorCreators(std::move(creators));
    server = builder.BuildAndStart();
    channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                  grpc::InsecureChannelCredentials());
  }

  Plan plan;
  SyncService service;
  std::unique_ptr<grpc::Server> server;
  std::shared_ptr<grpc::Channel> channel;
};

TEST(Threads, ATracingLibrarysContextStaysAndTiesAllTheSame) {
  Traced traced(false);
  Node callee(Form::kSync, kEnforce);
  callee.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  traced.plan.callee = callee.Channel(kEnforce, 2);
  std::atomic<int> ours{0};
  traced.plan.touch = [&ours](grpc::ServerContextBase *context) {
    ours += eown_context_is_context(context->census_context());
  };
  for (Line line :
       {Line::kNone, Line::kFromServer, Line::kScope, Line::kAttach}) {
    traced.plan.line = line;
    EXPECT_EQ(Call(traced.channel).Values("error-claim"), "unclaimed")
        << static_cast<int>(line);
  }
  EXPECT_EQ(ours, 0);
}

// Nobody can tell two calls with one value apart: neither may get the other's
// context, and a later call is found again.
TEST(Threads, OneTracingContextForTwoCallsLeadsToNeither) {
  Traced traced(true);
  std::atomic<int> depth{0};
  traced.plan.touch = [&](grpc::ServerContextBase *context) {
    if (depth++ > 0) {
      EXPECT_EQ(eown::grpcpp::ContextOf(context), nullptr);
      return;
    }
    EXPECT_NE(eown::grpcpp::ContextOf(context), nullptr);
    Call(traced.channel);
    EXPECT_EQ(eown::grpcpp::ContextOf(context), nullptr);
  };
  Call(traced.channel);
  EXPECT_EQ(depth, 2);
  depth = 0;
  Call(traced.channel);
  EXPECT_EQ(depth, 2);
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  grpc::Server::SetGlobalCallbacks(new Hooks); // gRPC owns it
  return RUN_ALL_TESTS();
}
