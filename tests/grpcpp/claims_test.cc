// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// What leaves a server, and what stock gRPC clients make of it.
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include "call.h"
#include "eown/counters.h"
#include "eown/settings.h"
#include "node.h"

namespace {

const grpc::Status kDown(grpc::StatusCode::UNAVAILABLE, "down");
const Keys kEnforce = {{"eown.mode", "enforce"}};

class Claims : public testing::Test {
protected:
  void SetUp() override { eown_counters_reset(); }
};

// A node whose callee is down and claims it.
struct Pair {
  explicit Pair(const Keys &keys) : node(Form::kSync, keys) {
    callee.plan.own = kDown;
    node.plan.callee = callee.Channel(kEnforce, 2);
  }
  Pair(const Pair &) = delete;
  Node callee{Form::kSync, kEnforce};
  Node node;
};

// kEnforce and one setting more.
Keys With(const std::string &key, const std::string &value) {
  Keys keys = kEnforce;
  keys[key] = value;
  return keys;
}

TEST_F(Claims, AnErrorOfItsOwnIsClaimedAndStockClientsRetryIt) {
  Node node(Form::kSync, kEnforce);
  node.plan.own = kDown;
  Result result = Call(node.Stock(4));
  EXPECT_EQ(result.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(result.status.error_message(), "down");
  EXPECT_EQ(node.plan.served, 4);
  EXPECT_EQ(result.Values("error-claim"), "claimed");
  EXPECT_EQ(result.Values("grpc-retry-pushback-ms"), "");
  eown_claim_detail detail = result.Detail();
  EXPECT_STREQ(detail.owner_service, "eown.test.Probe");
  EXPECT_STREQ(detail.owner_method, "Unary");
  EXPECT_EQ(detail.hops, 0u);
  EXPECT_EQ(detail.reason, EOWN_REASON_OWN);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_calls), 4u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_errors), 4u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_retries), 3u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_sent_own), 4u);
}

TEST_F(Claims, AnErrorPassedOnIsUnclaimedAndStopsStockClients) {
  Pair pair(kEnforce);
  Result result = Call(pair.node.Stock(4));
  EXPECT_EQ(pair.node.plan.served, 1);
  EXPECT_EQ(pair.callee.plan.served, 2);
  EXPECT_EQ(result.status.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(result.Values("grpc-retry-pushback-ms"), "-1");
  eown_claim_detail detail = result.Detail();
  EXPECT_STREQ(detail.owner_service, "eown.test.Probe");
  EXPECT_EQ(detail.hops, 1u);
  EXPECT_EQ(detail.reason, EOWN_REASON_PROPAGATED);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_sent_propagated), 1u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_received_claimed), 1u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_outbound_calls), 1u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_outbound_errors), 1u);
}

TEST_F(Claims, AnErrorThatNobodyRetriedIsClaimed) {
  Pair pair(kEnforce);
  pair.node.plan.callee = pair.callee.Channel(kEnforce); // no policy
  Result result = Call(pair.node.Stock(4));
  EXPECT_EQ(pair.node.plan.served, 4);
  EXPECT_EQ(result.Values("error-claim"), "claimed");
  EXPECT_EQ(result.Detail().reason, EOWN_REASON_AT_LEAST_ONCE);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_refused_no_policy), 4u);
}

TEST_F(Claims, SuccessIsLeftAlone) {
  Node node(Form::kSync, kEnforce);
  node.plan.touch = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("mine", "kept");
  };
  Result result = Call(node.Channel(kEnforce));
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(result.trailers, Metadata({{"mine", "kept"}}));
}

TEST_F(Claims, KeysThatAHandlerCopiedAreReplaced) {
  Node node(Form::kSync, kEnforce);
  node.plan.own = kDown;
  node.plan.touch = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("error-claim", "unclaimed");
    server->AddTrailingMetadata("error-claim-bin", "rubbish");
  };
  Result result = Call(node.Stock());
  EXPECT_EQ(result.Values("error-claim"), "claimed");
  EXPECT_STREQ(result.Detail().owner_service, "eown.test.Probe");
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_replaced_claims), 1u);
  // With OK there is no claim at all.
  node.plan.own = grpc::Status::OK;
  EXPECT_TRUE(Call(node.Stock()).trailers.empty());
}

TEST_F(Claims, TheApplicationsPushbackStaysOnAClaimedErrorAlone) {
  auto push = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("grpc-retry-pushback-ms", "7");
  };
  Pair pair(kEnforce);
  pair.node.plan.touch = push;
  EXPECT_EQ(Call(pair.node.Stock()).Values("grpc-retry-pushback-ms"), "-1");
  pair.callee.plan.touch = push;
  EXPECT_EQ(Call(pair.callee.Stock()).Values("grpc-retry-pushback-ms"), "7");
}

TEST_F(Claims, TheApplicationsWordWins) {
  Node node(Form::kSync, kEnforce);
  node.plan.own = kDown;
  node.plan.touch = [](grpc::ServerContextBase *server) {
    eown_context_set_claim(eown::grpcpp::ContextOf(server),
                           EOWN_CLAIM_UNCLAIMED);
  };
  Result result = Call(node.Stock(4));
  EXPECT_EQ(node.plan.served, 1);
  EXPECT_EQ(result.Detail().reason, EOWN_REASON_APPLICATION);
}

TEST_F(Claims, ObserveClaimsWithoutPushback) {
  Pair pair(Keys{{"eown.mode", "observe"}});
  Result result = Call(pair.node.Stock(4));
  EXPECT_EQ(pair.node.plan.served, 4);
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(result.Values("grpc-retry-pushback-ms"), "");
}

TEST_F(Claims, PushbackCanBeTurnedOff) {
  Pair pair(With("eown.send_pushback", "0"));
  Result result = Call(pair.node.Stock());
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(result.Values("grpc-retry-pushback-ms"), "");
}

TEST_F(Claims, OffDoesNothing) {
  Pair pair(Keys{{"eown.mode", "off"}});
  EXPECT_TRUE(Call(pair.node.Stock()).trailers.empty());
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_calls), 2u); // the callee's
}

TEST_F(Claims, TheProcessWideSwitchWins) {
  Node node(Form::kSync, kEnforce);
  node.plan.own = kDown;
  eown_mode_override(EOWN_MODE_OFF);
  EXPECT_TRUE(Call(node.Stock()).trailers.empty());
  eown_mode_override(EOWN_MODE_N);
  EXPECT_EQ(Call(node.Stock()).Values("error-claim"), "claimed");
}

TEST_F(Claims, NothingLeavesATrustBoundary) {
  Pair pair(With("eown.trust_boundary", "1"));
  Result result =
      Call(pair.node.Stock(), Method::kUnary, {{"error-claim-retry", "1"}});
  EXPECT_TRUE(result.trailers.empty());
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_inbound_retries), 1u); // the callee
}

TEST_F(Claims, NothingIsBelievedBeyondATrustBoundary) {
  Pair inner(kEnforce);
  Node node(Form::kSync, kEnforce);
  node.plan.callee = inner.node.Channel(With("eown.trust_boundary", "1"));
  // Unclaimed would be passed on; not believed, nobody has retried it.
  EXPECT_EQ(Call(node.Stock()).Detail().reason, EOWN_REASON_AT_LEAST_ONCE);
}

TEST_F(Claims, AnAliasIsWrittenAndRead) {
  Keys keys = With("eown.claim_key_alias", "x-claim");
  Pair pair(keys);
  EXPECT_EQ(Call(pair.node.Stock()).Values("x-claim"), "unclaimed");
  Node odd(Form::kSync, {});
  odd.plan.own = kDown;
  odd.plan.touch = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("x-claim", "unclaimed");
  };
  pair.node.plan.callee = odd.Channel(keys);
  EXPECT_EQ(Call(pair.node.Stock()).Detail().reason, EOWN_REASON_PROPAGATED);
}

TEST_F(Claims, TheServicesNameIsTheOwner) {
  Node node(Form::kSync, With("eown.service_name", "shop.Cart"));
  node.plan.own = kDown;
  EXPECT_STREQ(Call(node.Stock()).Detail().owner_service, "shop.Cart");
}

TEST_F(Claims, FaultsCanBeChosen) {
  Pair pair(With("eown.faults", "NOT_FOUND"));
  pair.node.plan.callee = pair.callee.Channel(kEnforce, 2);
  // UNAVAILABLE is no fault now, but the inbound ends in the same: passed on.
  EXPECT_EQ(Call(pair.node.Stock()).Values("error-claim"), "unclaimed");
  pair.callee.plan.own = {grpc::StatusCode::NOT_FOUND, ""};
  pair.node.plan.own = kDown;
  EXPECT_EQ(Call(pair.node.Stock()).Values("error-claim"), "claimed");
}

TEST_F(Claims, ClaimKeysInARequestAreRemoved) {
  Node node(Form::kSync, kEnforce);
  size_t seen = 1;
  node.plan.touch = [&seen](grpc::ServerContextBase *server) {
    seen = server->client_metadata().count("error-claim");
  };
  Call(node.Stock(), Method::kUnary, {{"error-claim", "unclaimed"}});
  EXPECT_EQ(seen, 0u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_stripped_claims), 1u);
}

TEST_F(Claims, EarlyHeadersAreCounted) {
  Node node(Form::kAsync, kEnforce);
  node.plan.own = kDown;
  Call(node.Stock());
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_early_headers), 0u);
  struct Early final : eown::test::Probe::Service {
    grpc::Status Download(grpc::ServerContext *, const eown::test::Ask *,
                          grpc::ServerWriter<eown::test::Answer> *w) override {
      w->SendInitialMetadata();
      return kDown;
    }
  } early;
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  builder.RegisterService(&early);
  eown::grpcpp::Install(&builder, Arguments(kEnforce));
  auto server = builder.BuildAndStart();
  auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(port),
                                     grpc::InsecureChannelCredentials());
  EXPECT_EQ(Call(channel, Method::kDownload).Values("error-claim"), "claimed");
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_early_headers), 1u);
}

// A call of a method that no service has.
grpc::Status CallAbsent(const std::shared_ptr<grpc::Channel> &channel,
                        grpc::ClientContext *client) {
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  grpc::Slice empty;
  auto call = stub.PrepareUnaryCall(client, "/eown.test.Probe/Absent",
                                    grpc::ByteBuffer(&empty, 1), &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void *tag;
  bool ok;
  queue.Next(&tag, &ok);
  return status;
}

TEST_F(Claims, AMethodThatIsNotKnownIsClaimedAsWell) {
  Node node(Form::kSync, kEnforce);
  auto channel = node.Stock();
  grpc::ClientContext client;
  grpc::Status status = CallAbsent(channel, &client);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(client.GetServerTrailingMetadata().count("error-claim"), 1u);
}

} // namespace
