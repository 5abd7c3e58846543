// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The application's own retry loop in C++ on channels with the interceptors,
// and on channels with nothing of eown.
#include <gtest/gtest.h>

#include <array>

#include "call.h"
#include "eown/counters.h"
#include "node.h"
#include "tsan.h"

namespace {

using Served = std::array<int, 4>;
using eown::test::Answer;
using eown::test::Ask;
using eown::test::Probe;

const grpc::Status kDown(grpc::StatusCode::UNAVAILABLE, "down");
const Keys kEnforce = {{"eown.mode", "enforce"}};

// One call; the handler sees what was set before, and we what it did.
grpc::Status Unary(Probe::Stub *stub, grpc::ClientContext *client) {
  Answer answer;
  TEST_RELEASE(&test_order);
  grpc::Status status = stub->Unary(client, Ask(), &answer);
  TEST_ACQUIRE(&test_order);
  return status;
}

eown::RetryOptions Quick(int attempts) {
  eown::RetryOptions options;
  options.max_attempts = attempts;
  options.initial_backoff = options.max_backoff = std::chrono::milliseconds(1);
  return options;
}

// --- the published chain -----------------------------------------------------

struct Chain {
  Form form = Form::kSync;
  std::string mode = "enforce";
  Line line = Line::kFromServer;
  int loop = 2;
  int policy = 1;
  bool stock_channels = false; // with nothing of eown
  std::string claim = "unclaimed";
};

Served Storm(const Chain &chain) {
  Keys keys = {{"eown.mode", chain.mode}};
  Node a(chain.form, keys), b(chain.form, keys), c(chain.form, keys),
      d(chain.form, keys);
  Node *nodes[] = {&a, &b, &c, &d};
  for (int i = 0; i < 3; i++) {
    Plan &plan = nodes[i]->plan;
    plan.line = chain.line;
    plan.loop = Quick(chain.loop);
    eown_mode_parse(chain.mode.c_str(), &plan.loop->mode);
    plan.callee = chain.stock_channels
                      ? nodes[i + 1]->Stock(chain.policy)
                      : nodes[i + 1]->Channel(keys, chain.policy);
  }
  d.plan.own = kDown;
  Result result = Call(a.Stock());
  EXPECT_EQ(result.status.error_message(), "down");
  EXPECT_EQ(result.Values("error-claim"), chain.claim);
  EXPECT_EQ(result.Detail().hops, chain.claim == "unclaimed" ? 3u : 0u);
  return {a.plan.served, b.plan.served, c.plan.served, d.plan.served};
}

TEST(Retry, OffIsTheStorm) {
  Chain off;
  off.mode = "off";
  off.claim = "";
  EXPECT_EQ(Storm(off), (Served{1, 2, 4, 8}));
}

TEST(Retry, ObserveIsTheSameStorm) {
  Chain observe;
  observe.mode = "observe";
  EXPECT_EQ(Storm(observe), (Served{1, 2, 4, 8}));
}

TEST(Retry, EnforceRetriesNextToTheCause) {
  for (Form form : {Form::kSync, Form::kCallback, Form::kAsync,
                    Form::kGenericAsync, Form::kGenericCallback}) {
    SCOPED_TRACE(static_cast<int>(form));
    Chain chain;
    chain.form = form;
    EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 2}));
  }
}

TEST(Retry, TheApplicationsOwnContextsAreTied) {
  Chain chain;
  chain.line = Line::kNone;
  EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 2}));
  chain.form = Form::kAsync;
  EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 2}));
}

TEST(Retry, ThreeAttempts) {
  Chain chain;
  chain.loop = 3;
  EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 3}));
}

TEST(Retry, APolicyBelowDoesNotMultiply) {
  Chain chain;
  chain.policy = 2;
  EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 2}));
  chain.mode = "observe";
  EXPECT_EQ(Storm(chain), (Served{1, 4, 16, 64}));
}

TEST(Retry, ChannelsWithoutEown) {
  Chain chain;
  chain.stock_channels = true;
  EXPECT_EQ(Storm(chain), (Served{1, 1, 1, 2}));
  chain.mode = "observe";
  EXPECT_EQ(Storm(chain), (Served{1, 2, 4, 8}));
}

// --- one client --------------------------------------------------------------

class Client : public testing::Test {
protected:
  void SetUp() override {
    callee.plan.own = kDown;
    callee.plan.touch = [this](grpc::ServerContextBase *server) {
      marks.push_back(static_cast<int>(
          server->client_metadata().count("error-claim-retry")));
      if (!claim.empty())
        server->AddTrailingMetadata("error-claim", claim);
      if (!pushback.empty())
        server->AddTrailingMetadata("grpc-retry-pushback-ms", pushback);
      if (callee.plan.served == good_call)
        callee.plan.own = grpc::Status::OK;
    };
    eown_counters_reset();
  }

  // Runs a loop without waiting; returns its reason.
  std::string Loop(const Keys &keys, eown::RetryOptions options,
                   int policy = 1) {
    auto stub = Probe::NewStub(keys.empty() ? callee.Stock(policy)
                                            : callee.Channel(keys, policy));
    eown::grpcpp::Retry retry(nullptr, std::move(options));
    EXPECT_EQ(retry.problem(), problem);
    std::optional<std::chrono::milliseconds> wait;
    do {
      grpc::Status status = Unary(stub.get(), retry.Next());
      wait = retry.After(status);
      waits.push_back(wait.has_value() ? wait->count() : -1);
    } while (wait.has_value());
    return eown_loop_name(retry.reason());
  }

  Node callee{Form::kSync, {}}; // stock
  std::string claim, pushback, problem;
  int good_call = 0;
  std::vector<int> marks;
  std::vector<int64_t> waits;
};

TEST_F(Client, MarksItsRetries) {
  EXPECT_EQ(Loop(kEnforce, Quick(3)), "attempts");
  EXPECT_EQ(marks, (std::vector<int>{0, 1, 1}));
  marks.clear();
  EXPECT_EQ(Loop({}, Quick(3)), "attempts");
  EXPECT_EQ(marks, (std::vector<int>{0, 1, 1}));
}

TEST_F(Client, ABoundaryMarksAndBelievesNothing) {
  claim = "unclaimed";
  EXPECT_EQ(
      Loop({{"eown.mode", "enforce"}, {"eown.trust_boundary", "1"}}, Quick(2)),
      "attempts");
  EXPECT_EQ(marks, (std::vector<int>{0, 0}));
}

TEST_F(Client, EndsWithASuccess) {
  good_call = 2;
  EXPECT_EQ(Loop(kEnforce, Quick(5)), "ok");
  EXPECT_EQ(callee.plan.served, 2);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_loop_allowed), 1u);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_outbound_calls), 2u);
}

TEST_F(Client, AnUnclaimedErrorEndsIt) {
  claim = "unclaimed";
  for (const Keys &keys : {kEnforce, Keys()})
    EXPECT_EQ(Loop(keys, Quick(3)), "unclaimed");
  EXPECT_EQ(callee.plan.served, 2);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_loop_stopped_unclaimed), 2u);
}

TEST_F(Client, AnAliasIsReadWithAndWithoutTheInterceptor) {
  callee.plan.touch = [](grpc::ServerContextBase *server) {
    server->AddTrailingMetadata("x-claim", "unclaimed");
  };
  eown::RetryOptions options = Quick(3);
  options.claim_key_alias = "x-claim";
  EXPECT_EQ(Loop({}, options), "unclaimed");
  EXPECT_EQ(
      Loop({{"eown.mode", "enforce"}, {"eown.claim_key_alias", "x-claim"}},
           Quick(3)),
      "unclaimed");
}

TEST_F(Client, HeedsThePushback) {
  pushback = "7";
  EXPECT_EQ(Loop(kEnforce, Quick(2)), "attempts");
  EXPECT_EQ(waits, (std::vector<int64_t>{7, -1}));
  for (const char *stop : {"-1", "soon"}) {
    pushback = stop;
    EXPECT_EQ(Loop(kEnforce, Quick(2)), "pushback");
    EXPECT_EQ(Loop({}, Quick(2)), "pushback");
  }
}

TEST_F(Client, ADeadlineShorterThanTheBackoffEndsIt) {
  eown::RetryOptions options = Quick(3);
  options.initial_backoff = options.max_backoff = std::chrono::minutes(1);
  options.deadline =
      std::chrono::system_clock::now() + std::chrono::seconds(30);
  EXPECT_EQ(Loop(kEnforce, options), "deadline");
  EXPECT_EQ(callee.plan.served, 1);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_loop_refused_deadline), 1u);
}

TEST_F(Client, AStatusItDoesNotListEndsIt) {
  callee.plan.own = {grpc::StatusCode::ABORTED, ""};
  EXPECT_EQ(Loop(kEnforce, Quick(3)), "status");
  eown::RetryOptions options = Quick(2);
  options.codes = eown::Codes(grpc::StatusCode::ABORTED);
  EXPECT_EQ(Loop(kEnforce, options), "attempts");
  EXPECT_EQ(callee.plan.served, 3);
}

TEST_F(Client, WhatNobodyWaitsForIsNotRepeated) {
  eown::RetryOptions options = Quick(3);
  options.cancelled = [] { return true; };
  EXPECT_EQ(Loop(kEnforce, options), "cancelled");
  EXPECT_EQ(callee.plan.served, 1);
}

// The channel's budget is the loop's: a tenth of 20 loops.
TEST_F(Client, KeepsTheChannelsBudget) {
  auto channel = callee.Channel({{"eown.mode", "enforce"},
                                 {"eown.retry_budget_percent", "10"},
                                 {"eown.retry_budget_min_per_second", "0"}});
  auto stub = Probe::NewStub(channel);
  for (int i = 0; i < 20; i++) {
    eown::grpcpp::Retry retry(nullptr, Quick(2));
    grpc::Status status;
    do {
      status = Unary(stub.get(), retry.Next());
    } while (retry.Again(status));
  }
  EXPECT_EQ(callee.plan.served, 22);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_loop_stopped_budget), 18u);
}

TEST_F(Client, GrpcsAttemptsCount) {
  EXPECT_EQ(Loop(kEnforce, Quick(2), 2), "multiplied");
  EXPECT_EQ(callee.plan.served, 2);
}

// A service whose channel has chain stop: for inbounds that are retries
// themselves its loop makes one call, and passes the error on.
TEST_F(Client, ChainStopHoldsForMarkedInbounds) {
  Node node(Form::kSync, kEnforce);
  node.plan.loop = Quick(2);
  node.plan.line = Line::kFromServer;
  node.plan.callee =
      callee.Channel({{"eown.mode", "enforce"}, {"eown.chain_stop", "1"}});
  EXPECT_EQ(Call(node.Stock()).Values("error-claim"), "unclaimed");
  EXPECT_EQ(callee.plan.served, 2);
  Result marked =
      Call(node.Stock(), Method::kUnary, {{"error-claim-retry", "1"}});
  EXPECT_EQ(marked.Values("error-claim"), "unclaimed");
  EXPECT_EQ(callee.plan.served, 3);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_loop_stopped_chain), 1u);
}

// --- streams -----------------------------------------------------------------

// A stream is repeated before its first message, and not after it.
TEST_F(Client, AStreamThatBeganIsNotRepeated) {
  auto stub = Probe::NewStub(callee.Channel(kEnforce));
  for (bool committed : {false, true}) {
    eown::grpcpp::Retry retry(nullptr, Quick(2));
    TEST_RELEASE(&test_order);
    auto reader = stub->Download(retry.Next(), Ask());
    Answer answer;
    while (reader->Read(&answer)) {
    }
    TEST_ACQUIRE(&test_order);
    EXPECT_EQ(retry.Again(reader->Finish(), committed), !committed);
    EXPECT_STREQ(eown_loop_name(retry.reason()),
                 committed ? "committed" : "retry");
  }
}

// --- bad input ---------------------------------------------------------------

TEST_F(Client, BadOptionsMakeOneCall) {
  eown::RetryOptions options = Quick(-1);
  problem = "max_attempts: got -1, expected a whole number from 1 to 100";
  EXPECT_EQ(Loop(kEnforce, options), "attempts");
  options = Quick(3);
  options.initial_backoff = std::chrono::milliseconds(-5);
  problem = "initial_backoff_ms: got -5, expected a whole number from 0 to "
            "86400000";
  EXPECT_EQ(Loop(kEnforce, options), "attempts");
  EXPECT_EQ(callee.plan.served, 2);
}

TEST_F(Client, AfterItsEndTheAnswerIsNo) {
  eown::grpcpp::Retry retry(nullptr, Quick(5));
  EXPECT_FALSE(retry.Again(kDown)); // before any call
  auto stub = Probe::NewStub(callee.Channel(kEnforce));
  EXPECT_TRUE(retry.Again(Unary(stub.get(), retry.Next())));
  retry.Next();
  EXPECT_FALSE(retry.Again(grpc::Status::CANCELLED));
  EXPECT_STREQ(eown_loop_name(retry.reason()), "cancelled");
  EXPECT_FALSE(retry.Again(kDown));
  EXPECT_STREQ(eown_loop_name(retry.reason()), "misused");
}

} // namespace
