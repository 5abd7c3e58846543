// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// What the client's interceptor makes of how outbound calls end.
#include <gtest/gtest.h>

#include "call.h"
#include "eown/counters.h"
#include "node.h"

namespace {

const grpc::Status kDown(grpc::StatusCode::UNAVAILABLE, "down");
const Keys kEnforce = {{"eown.mode", "enforce"}};

// A node with a callee that is stock gRPC and always fails.
class Client : public testing::Test {
protected:
  void SetUp() override {
    callee.plan.own = kDown;
    node.plan.callee = callee.Channel(kEnforce);
    eown_counters_reset();
  }
  // What the node says of its error.
  eown_reason Reason() { return Call(node.Stock()).Detail().reason; }

  Node callee{Form::kSync, {}};
  Node node{Form::kSync, kEnforce};
};

void Says(Plan *plan, const std::string &claim) {
  plan->touch = [claim](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("error-claim", claim);
  };
}

TEST_F(Client, ReadsTheClaim) {
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_received_missing), 1u);
  Says(&callee.plan, "claimed");
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_received_claimed), 1u);
  Says(&callee.plan, "unclaimed");
  EXPECT_EQ(Reason(), EOWN_REASON_PROPAGATED);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_received_unclaimed), 1u);
}

TEST_F(Client, BelievesNoClaimItDoesNotKnow) {
  Says(&callee.plan, "maybe");
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_malformed_claim), 1u);
  callee.plan.touch = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("error-claim", "unclaimed");
    server->AddTrailingMetadata("error-claim", "unclaimed");
    server->AddTrailingMetadata("error-claim-bin", "\xff");
  };
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_malformed_claim), 2u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_malformed_detail), 1u);
}

TEST_F(Client, LeavesTheAnswerAsItIs) {
  Node passes(Form::kSync, kEnforce);
  passes.plan.callee = node.Channel(kEnforce, 2);
  node.plan.callee = callee.Channel(kEnforce, 2);
  Result seen = Call(passes.Channel(kEnforce));
  EXPECT_EQ(seen.status.error_code(), kDown.error_code());
  EXPECT_EQ(seen.status.error_message(), kDown.error_message());
  EXPECT_EQ(seen.Values("error-claim"), "unclaimed");
  EXPECT_EQ(seen.Values("grpc-retry-pushback-ms"), "-1");
}

TEST_F(Client, APolicyThatCoversTheStatusSatisfies) {
  node.plan.callee = callee.Channel(kEnforce, 2);
  EXPECT_EQ(Reason(), EOWN_REASON_PROPAGATED);
  callee.plan.own = {grpc::StatusCode::DATA_LOSS, ""};
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_refused_status), 1u);
}

TEST_F(Client, APolicyOnAChannelWithoutRetriesIsNone) {
  grpc::ChannelArguments arguments = Arguments(kEnforce, 2);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  node.plan.callee = eown::grpcpp::CreateChannel(
      callee.target(), grpc::InsecureChannelCredentials(), arguments);
  EXPECT_EQ(Reason(), EOWN_REASON_AT_LEAST_ONCE);
}

TEST_F(Client, TheApplicationsOwnRetrySatisfies) {
  node.plan.calls = 2;
  EXPECT_EQ(Reason(), EOWN_REASON_PROPAGATED);
  EXPECT_EQ(callee.plan.served, 2);
}

TEST_F(Client, RetriesOfTheApplicationAreMarked) {
  size_t marks = 0;
  callee.plan.touch = [&marks](grpc::ServerContextBase *server) {
    marks += server->client_metadata().count("error-claim-retry");
  };
  node.plan.calls = 3;
  Reason();
  EXPECT_EQ(callee.plan.served, 3);
  EXPECT_EQ(marks, 2u);
}

TEST_F(Client, TheMarkIsHandedOn) {
  size_t marks = 0;
  callee.plan.touch = [&marks](grpc::ServerContextBase *server) {
    marks += server->client_metadata().count("error-claim-retry");
  };
  Call(node.Stock(), Method::kUnary, {{"error-claim-retry", "1"}});
  EXPECT_EQ(marks, 1u);
  // A mark of another value means nothing, and a boundary sends none.
  Call(node.Stock(), Method::kUnary, {{"error-claim-retry", "2"}});
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_malformed_mark), 1u);
  node.plan.callee =
      callee.Channel({{"eown.mode", "enforce"}, {"eown.trust_boundary", "1"}});
  Call(node.Stock(), Method::kUnary, {{"error-claim-retry", "1"}});
  EXPECT_EQ(marks, 1u);
}

TEST_F(Client, RetriesOfGrpcAreHandedOnAsMarks) {
  size_t marks = 0;
  callee.plan.touch = [&marks](grpc::ServerContextBase *server) {
    marks += server->client_metadata().count("error-claim-retry");
  };
  Call(node.Stock(4)); // claimed, as nobody retries below
  EXPECT_EQ(node.plan.served, 4);
  EXPECT_EQ(marks, 3u);
}

TEST_F(Client, ALaterSuccessClearsAnEarlierFailure) {
  node.plan.calls = 2;
  node.plan.own = {grpc::StatusCode::INTERNAL, "my own"};
  callee.plan.touch = [this](grpc::ServerContextBase *) {
    callee.plan.own = callee.plan.served == 1 ? kDown : grpc::Status::OK;
  };
  EXPECT_EQ(Reason(), EOWN_REASON_OWN);
}

TEST_F(Client, AnEdgePinnedOnTheChannelIsCoincidental) {
  node.plan.callee = callee.Channel(
      {{"eown.mode", "enforce"}, {"eown.pins", "*=fail-open"}}, 2);
  EXPECT_EQ(Reason(), EOWN_REASON_COINCIDENTAL);
}

TEST_F(Client, AnEdgePinnedOnTheServerIsCoincidental) {
  Node pinned(Form::kSync,
              {{"eown.mode", "enforce"},
               {"eown.pins", "/eown.test.Probe/Unary>*=fail-open"}});
  pinned.plan.callee = callee.Channel(kEnforce, 2);
  EXPECT_EQ(Call(pinned.Stock()).Detail().reason, EOWN_REASON_COINCIDENTAL);
}

TEST_F(Client, WhatWasNeverReachedCanBeClaimed) {
  Node owns(Form::kSync,
            {{"eown.mode", "enforce"}, {"eown.own_unreachable", "1"}});
  EXPECT_TRUE(Call(owns.Channel(kEnforce)).status.ok()); // a good call first
  owns.plan.callee = eown::grpcpp::CreateChannel(
      "127.0.0.1:1", grpc::InsecureChannelCredentials(),
      Arguments(kEnforce, 2));
  Result result = Call(owns.Stock());
  EXPECT_EQ(result.Detail().reason, EOWN_REASON_UNREACHABLE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_unreached), 1u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_local), 1u);
  // One that was reached and says the same is not.
  owns.plan.callee = callee.Channel(kEnforce, 2);
  EXPECT_EQ(Call(owns.Stock()).Detail().reason, EOWN_REASON_PROPAGATED);
}

TEST_F(Client, LearnsWhatTheServiceDoesWithout) {
  Node shrugs(Form::kSync,
              {{"eown.mode", "enforce"}, {"eown.service_name", "Shrugs"}});
  shrugs.plan.callee = callee.Channel(kEnforce, 2);
  callee.plan.own = kDown;
  std::atomic<bool> fails{false};
  struct Service final : eown::test::Probe::Service {
    grpc::Status Unary(grpc::ServerContext *context, const eown::test::Ask *,
                       eown::test::Answer *) override {
      Relay(plan, context); // whatever comes of it
      return *fails ? kDown : grpc::Status::OK;
    }
    Plan *plan;
    std::atomic<bool> *fails;
  } service;
  service.plan = &shrugs.plan;
  service.fails = &fails;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterService(&service);
  eown::grpcpp::Install(&builder,
                        Arguments({{"eown.mode", "enforce"},
                                   {"eown.service_name", "Shrugs.Too"}}));
  auto server = builder.BuildAndStart();
  auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                     grpc::InsecureChannelCredentials());
  for (int i = 0; i < 100; i++)
    ASSERT_TRUE(Call(channel).status.ok());
  fails = true;
  EXPECT_EQ(Call(channel).Detail().reason, EOWN_REASON_COINCIDENTAL);
}

} // namespace
