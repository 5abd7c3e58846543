// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <optional>
#include <utility>

#include "eown/grpcpp.hpp"
#include "tsan.h"

namespace {

using eown::test::Answer;
using eown::test::Ask;
using eown::test::Probe;

std::unique_ptr<grpc::ClientContext> Outbound(const Plan &plan,
                                              grpc::ServerContextBase *server) {
  if (plan.line == Line::kFromServer)
    return grpc::ClientContext::FromServerContext(*server);
  auto client = std::make_unique<grpc::ClientContext>();
  if (plan.line == Line::kAttach)
    eown::grpcpp::Attach(client.get(), server);
  return client;
}

void Begin(Plan *plan, grpc::ServerContextBase *server) {
  TEST_ACQUIRE(&test_order);
  plan->served++;
  if (plan->touch)
    plan->touch(server);
  TEST_RELEASE(&test_order);
}

// An outbound call in flight; it deletes itself.
struct Flight {
  std::unique_ptr<grpc::ClientContext> client;
  std::unique_ptr<Probe::Stub> stub;
  Ask ask;
  Answer answer;
};

} // namespace

grpc::Status Relay(Plan *plan, grpc::ServerContextBase *server) {
  Begin(plan, server);
  if (plan->callee == nullptr)
    return plan->own;
  std::optional<eown::grpcpp::Scope> scope;
  if (plan->line == Line::kScope)
    scope.emplace(server);
  auto stub = Probe::NewStub(plan->callee);
  grpc::Status status;
  for (int i = 0; i == 0 || (i < plan->calls && !status.ok()); i++) {
    auto client = Outbound(*plan, server);
    Answer answer;
    status = stub->Unary(client.get(), Ask(), &answer);
  }
  if (status.ok())
    status = plan->own;
  TEST_RELEASE(&test_order);
  return status;
}

void RelayThen(Plan *plan, grpc::CallbackServerContext *server,
               std::function<void(grpc::Status)> done) {
  Begin(plan, server);
  if (plan->callee == nullptr)
    return done(plan->own);
  auto *flight = new Flight;
  flight->client = Outbound(*plan, server);
  flight->stub = Probe::NewStub(plan->callee);
  std::optional<eown::grpcpp::Scope> scope;
  if (plan->line == Line::kScope)
    scope.emplace(server);
  TEST_RELEASE(&test_order);
  TEST_RELEASE(flight);
  flight->stub->async()->Unary(flight->client.get(), &flight->ask,
                               &flight->answer,
                               [flight, plan, done](grpc::Status status) {
                                 TEST_ACQUIRE(flight);
                                 delete flight;
                                 if (status.ok())
                                   status = plan->own;
                                 TEST_RELEASE(&test_order);
                                 done(status);
                               });
}
