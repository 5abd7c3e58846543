// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <optional>
#include <utility>

#include <grpcpp/alarm.h>

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

// By a loop whose calls are children of the inbound, or by one that ties calls
// of the application's own contexts.
grpc::Status Loop(const Plan &plan, grpc::ServerContextBase *server) {
  auto stub = Probe::NewStub(plan.callee);
  grpc::Status status;
  Answer answer;
  if (plan.line == Line::kFromServer) {
    eown::grpcpp::Retry retry(dynamic_cast<grpc::ServerContext *>(server),
                              *plan.loop);
    do {
      status = stub->Unary(retry.Next(), Ask(), &answer);
    } while (retry.Again(status));
    return status;
  }
  eown::grpcpp::Retry retry(eown::grpcpp::ContextOf(server), *plan.loop);
  bool again = true;
  while (again) {
    grpc::ClientContext client;
    retry.Prepare(&client);
    status = stub->Unary(&client, Ask(), &answer);
    again = retry.Again(status, &client);
  }
  return status;
}

// Outbound calls in flight, one after the other; it deletes itself.
struct Flight {
  Plan *plan;
  std::function<void(grpc::Status)> done;
  std::unique_ptr<eown::grpcpp::Retry> retry; // null: one call
  grpc::Alarm alarm;
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
  if (plan->loop.has_value())
    status = Loop(*plan, server);
  for (int i = 0;
       !plan->loop.has_value() && (i == 0 || (i < plan->calls && !status.ok()));
       i++) {
    auto client = Outbound(*plan, server);
    Answer answer;
    status = stub->Unary(client.get(), Ask(), &answer);
  }
  if (status.ok())
    status = plan->own;
  TEST_RELEASE(&test_order);
  return status;
}

namespace {

void Fly(Flight *flight);

void Land(Flight *flight, grpc::Status status) {
  TEST_ACQUIRE(flight);
  std::function<void(grpc::Status)> done = std::move(flight->done);
  if (status.ok())
    status = flight->plan->own;
  delete flight;
  TEST_RELEASE(&test_order);
  done(status);
}

// The non-blocking form of a loop: the wait is an alarm's.
void Ended(Flight *flight, const grpc::Status &status) {
  TEST_ACQUIRE(flight);
  std::optional<std::chrono::milliseconds> wait;
  if (flight->retry != nullptr)
    wait = flight->retry->After(status);
  TEST_RELEASE(flight);
  if (!wait.has_value())
    return Land(flight, status);
  flight->alarm.Set(std::chrono::system_clock::now() + *wait,
                    [flight](bool) { Fly(flight); });
}

void Fly(Flight *flight) {
  TEST_ACQUIRE(flight);
  grpc::ClientContext *client =
      flight->retry == nullptr ? flight->client.get() : flight->retry->Next();
  TEST_RELEASE(flight);
  flight->stub->async()->Unary(
      client, &flight->ask, &flight->answer,
      [flight](const grpc::Status &status) { Ended(flight, status); });
}

} // namespace

void RelayThen(Plan *plan, grpc::CallbackServerContext *server,
               std::function<void(grpc::Status)> done) {
  Begin(plan, server);
  if (plan->callee == nullptr)
    return done(plan->own);
  auto *flight = new Flight;
  flight->plan = plan;
  flight->done = std::move(done);
  if (plan->loop.has_value())
    flight->retry = std::make_unique<eown::grpcpp::Retry>(server, *plan->loop);
  else
    flight->client = Outbound(*plan, server);
  flight->stub = Probe::NewStub(plan->callee);
  std::optional<eown::grpcpp::Scope> scope;
  if (plan->line == Line::kScope)
    scope.emplace(server);
  TEST_RELEASE(&test_order);
  TEST_RELEASE(flight);
  Fly(flight);
}
