// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Both bindings in one process, on servers and channels of their own.
#include <gtest/gtest.h>

#include "call.h"
#include "eown/counters.h"
#include "eown/grpc.h"
#include "node.h"

namespace {

const Keys kEnforce = {{"eown.mode", "enforce"}};

// A sync server with the filters, or with both.
class Filtered {
public:
  explicit Filtered(bool both) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port_);
    builder.RegisterService(&service_);
    builder.AddChannelArgument("eown.mode", "enforce");
    if (both)
      eown::grpcpp::Install(&builder, Arguments(kEnforce));
    server_ = builder.BuildAndStart();
  }

  std::shared_ptr<grpc::Channel> Channel(const Keys &keys, int attempts) const {
    return grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(port_),
                                     grpc::InsecureChannelCredentials(),
                                     Arguments(keys, attempts));
  }

  Plan plan;

private:
  SyncService service_{&plan};
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST(Mixed, ClaimsGoThroughBoth) {
  Node a(Form::kSync, kEnforce), c(Form::kSync, kEnforce);
  Filtered b(false), d(false);
  a.plan.callee = b.Channel(kEnforce, 2);
  b.plan.callee = c.Channel(kEnforce, 2);
  b.plan.line = Line::kFromServer;
  c.plan.callee = d.Channel(kEnforce, 2);
  d.plan.own = {grpc::StatusCode::UNAVAILABLE, "down"};
  Result result = Call(a.Stock(4));
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(result.Detail().hops, 3u);
  EXPECT_EQ(a.plan.served, 1);
  EXPECT_EQ(b.plan.served, 1);
  EXPECT_EQ(c.plan.served, 1);
  EXPECT_EQ(d.plan.served, 2);
}

TEST(Mixed, TheInterceptorLeavesTheWorkToTheFilterBelow) {
  Node callee(Form::kSync, kEnforce);
  callee.plan.own = {grpc::StatusCode::UNAVAILABLE, "down"};
  Filtered both(true);
  both.plan.callee = callee.Channel(kEnforce, 2);
  eown_counters_reset();
  Result result = Call(both.Channel({}, 4));
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(both.plan.served, 1);
  EXPECT_EQ(callee.plan.served, 2);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_calls), 3u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_replaced_claims), 0u);
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (eown_grpc_init() != EOWN_ERROR_OK)
    return 1;
  return RUN_ALL_TESTS();
}
