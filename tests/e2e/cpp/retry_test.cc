// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The application's own retry loop in C++ on channels with the filters.
#include <gtest/gtest.h>

#include "claim.h"
#include "eown/counters.h"
#include "eown/eown.hpp"
#include "service.h"

namespace e2e {
namespace {

eown::RetryOptions Quick() {
  eown::RetryOptions options;
  options.max_attempts = 2;
  options.initial_backoff = options.max_backoff = std::chrono::milliseconds(1);
  return options;
}

// The calls are children of the inbound.
grpc::Status ByNext(grpc::ServerContext *inbound, Node::Stub *stub,
                    const CallRequest &request, CallReply *reply) {
  eown::Retry retry(inbound, Quick());
  grpc::Status status;
  do {
    status = stub->Call(retry.Next(), request, reply);
  } while (retry.Again(status));
  return status;
}

// The calls are tied by their own contexts, on whatever thread.
grpc::Status ByPrepare(grpc::ServerContext *inbound, Node::Stub *stub,
                       const CallRequest &request, CallReply *reply) {
  eown::Retry retry(inbound, Quick());
  grpc::Status status;
  for (bool again = true; again;) {
    std::thread([&] {
      grpc::ClientContext client;
      retry.Prepare(&client);
      status = stub->Call(&client, request, reply);
      again = retry.Again(status, &client);
    }).join();
  }
  return status;
}

// A client of A, B, C, where C fails by itself.
void CheckChain(const Outbound &outbound, int attempts_at_c) {
  eown_counters_reset();
  Server c("C", 0, nullptr), b("B", c.port(), outbound),
      a("A", b.port(), outbound);
  auto stub = Node::NewStub(Connect(a.port(), NoRetries()));
  grpc::ClientContext context;
  CallReply reply;
  EXPECT_FALSE(stub->Call(&context, {}, &reply).ok());
  Claim claim = ReadClaim(context);
  EXPECT_EQ("unclaimed", claim.value);
  EXPECT_STREQ("C", claim.detail.owner_service);
  EXPECT_EQ(2u, claim.detail.hops);
  EXPECT_EQ(1, b.served());
  EXPECT_EQ(attempts_at_c, c.served());
  EXPECT_EQ(0u, eown_counter_read(EOWN_COUNTER_context_drops));
}

// Each server here has a policy of two attempts as well: the loop above it does
// not multiply.
TEST(Retry, ChildrenOfTheInbound) { CheckChain(ByNext, 2); }
TEST(Retry, TheApplicationsOwnContexts) { CheckChain(ByPrepare, 2); }

TEST(Retry, CountsWhatGrpcUsedUp) {
  CheckChain(ByNext, 2);
  EXPECT_EQ(1u, eown_counter_read(EOWN_COUNTER_loop_stopped_multiplied));
  EXPECT_EQ(1u, eown_counter_read(EOWN_COUNTER_loop_stopped_unclaimed));
}

// A client that serves nothing: two calls, the second marked.
TEST(Retry, AClient) {
  eown_counters_reset();
  Server c("C", 0, nullptr);
  auto stub = Node::NewStub(Connect(c.port(), NoRetries()));
  eown::Retry retry(nullptr, Quick());
  CallReply reply;
  grpc::Status status;
  do {
    status = stub->Call(retry.Next(), {}, &reply);
  } while (retry.Again(status));
  EXPECT_EQ(2, c.served());
  EXPECT_STREQ("attempts", eown_loop_name(retry.reason()));
  EXPECT_EQ(1u, eown_counter_read(EOWN_COUNTER_inbound_retries));
}

// Two loops side by side on one callee: each has its own retry, and the error
// has had its retry once one of them has.
grpc::Status InParallel(grpc::ServerContext *inbound, Node::Stub *stub,
                        const CallRequest &request, CallReply *reply) {
  grpc::Status other;
  std::thread beside([&] {
    CallReply ignored;
    other = ByNext(inbound, stub, request, &ignored);
  });
  grpc::Status status = ByNext(inbound, stub, request, reply);
  beside.join();
  EXPECT_EQ(status.error_code(), other.error_code());
  return status;
}

TEST(Retry, LoopsInParallel) {
  eown_counters_reset();
  Server c("C", 0, nullptr), b("B", c.port(), InParallel);
  auto stub = Node::NewStub(Connect(b.port(), NoRetries()));
  grpc::ClientContext context;
  CallReply reply;
  EXPECT_FALSE(stub->Call(&context, {}, &reply).ok());
  EXPECT_EQ("unclaimed", ReadClaim(context).value);
  EXPECT_EQ(4, c.served()); // two each, gRPC's own
  EXPECT_EQ(2u, eown_counter_read(EOWN_COUNTER_loop_stopped_multiplied));
}

// The inbound's deadline is the loop's.
TEST(Retry, TheInboundsDeadlineEndsIt) {
  std::atomic<eown_loop> reason{EOWN_LOOP_OK};
  Server c("C", 0, nullptr);
  Server b("B", c.port(),
           [&reason](grpc::ServerContext *inbound, Node::Stub *stub,
                     const CallRequest &request, CallReply *reply) {
             eown::RetryOptions options = Quick();
             options.max_attempts = 5;
             options.initial_backoff = options.max_backoff =
                 std::chrono::hours(1);
             eown::Retry retry(inbound, options);
             grpc::Status status = stub->Call(retry.Next(), request, reply);
             EXPECT_FALSE(retry.Again(status));
             reason = retry.reason();
             return status;
           });
  auto stub = Node::NewStub(Connect(b.port(), NoRetries()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
  CallReply reply;
  EXPECT_EQ(grpc::StatusCode::UNAVAILABLE,
            stub->Call(&context, {}, &reply).error_code());
  EXPECT_EQ(EOWN_LOOP_DEADLINE, reason);
  EXPECT_EQ("unclaimed", ReadClaim(context).value);
}

} // namespace
} // namespace e2e
