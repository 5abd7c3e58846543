// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "stream_server.h"

#include <optional>

#include "eown/eown.hpp"
#include "service.h"

namespace e2e {
namespace {

std::shared_ptr<grpc::ClientContext>
MakeContext(Tie tie, const grpc::CallbackServerContext &inbound) {
  if (tie == Tie::kParent)
    return grpc::ClientContext::FromCallbackServerContext(inbound);
  return std::make_shared<grpc::ClientContext>();
}

} // namespace

template <typename Reactor>
void StreamServer::Service::Forward(Kind kind,
                                    grpc::CallbackServerContext *inbound,
                                    Reactor *reactor) {
  served++;
  if (stub == nullptr) {
    reactor->Finish({grpc::StatusCode::UNAVAILABLE, "fails by itself"});
    return;
  }
  auto context = MakeContext(tie, *inbound);
  std::optional<eown::Scope> scope;
  if (tie == Tie::kScope)
    scope.emplace(inbound);
  StartStream(kind, stub.get(), context.get(),
              [context, reactor](const grpc::Status &status) {
                reactor->Finish({status.error_code(), status.error_message()});
              });
}

grpc::ServerWriteReactor<Word> *
StreamServer::Service::Down(grpc::CallbackServerContext *context,
                            const Word *) {
  struct Reactor : grpc::ServerWriteReactor<Word> {
    void OnDone() override { delete this; }
  };
  auto *reactor = new Reactor;
  Forward(Kind::kDown, context, reactor);
  return reactor;
}

grpc::ServerReadReactor<Word> *
StreamServer::Service::Up(grpc::CallbackServerContext *context, Word *) {
  struct Reactor : grpc::ServerReadReactor<Word> {
    Reactor(Service *service, grpc::CallbackServerContext *context)
        : service(service), context(context) {
      this->StartRead(&word);
    }
    void OnReadDone(bool ok) override {
      if (ok)
        this->StartRead(&word);
      else
        service->Forward(Kind::kUp, context, this);
    }
    void OnDone() override { delete this; }
    Service *service;
    grpc::CallbackServerContext *context;
    Word word;
  };
  return new Reactor(this, context);
}

grpc::ServerBidiReactor<Word, Word> *
StreamServer::Service::Both(grpc::CallbackServerContext *context) {
  struct Reactor : grpc::ServerBidiReactor<Word, Word> {
    Reactor(Service *service, grpc::CallbackServerContext *context)
        : service(service), context(context) {
      this->StartRead(&word);
    }
    void OnReadDone(bool ok) override {
      if (ok)
        this->StartRead(&word);
      else
        service->Forward(Kind::kBoth, context, this);
    }
    void OnDone() override { delete this; }
    Service *service;
    grpc::CallbackServerContext *context;
    Word word;
  };
  return new Reactor(this, context);
}

StreamServer::StreamServer(const std::string &name, int callee, Tie tie) {
  if (callee != 0)
    service_.stub = Streams::NewStub(Connect(callee, OneRetry()));
  service_.tie = tie;
  grpc::ServerBuilder builder;
  builder.AddChannelArgument("eown.mode", "enforce");
  builder.AddChannelArgument("eown.service_name", name);
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port_);
  builder.RegisterService(&service_);
  server_ = builder.BuildAndStart();
}

StreamServer::~StreamServer() {
  server_->Shutdown();
  server_->Wait();
}

} // namespace e2e
