// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "call.h"
#include "eown/counters.h"
#include "node.h"
#include "service_config.h"

namespace {

using eown::grpcpp::Check;

TEST(Options, GoodOnesAreGood) {
  EXPECT_EQ(Check(Arguments({{"eown.mode", "enforce"},
                             {"eown.service_name", "shop.Cart"},
                             {"eown.retry_budget_percent", "-1"}})),
            "");
  grpc::ChannelArguments numbers;
  numbers.SetInt("eown.mode", 2);
  EXPECT_EQ(Check(numbers), "");
}

TEST(Options, BadOnesAreNamed) {
  std::string lines =
      Check(Arguments({{"eown.mode", "fast"}, {"eown.mood", "1"}}));
  EXPECT_NE(lines.find("eown.mode"), std::string::npos);
  EXPECT_NE(lines.find("\"fast\""), std::string::npos);
  EXPECT_NE(lines.find("off, observe, enforce"), std::string::npos);
  EXPECT_NE(lines.find("eown.mood"), std::string::npos);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  grpc::ChannelArguments pointer;
  pointer.SetPointer("eown.mode", &pointer);
  EXPECT_NE(Check(pointer).find("a pointer"), std::string::npos);
}

TEST(Options, TheBudgetAndChainStopAreTheLoops) {
  EXPECT_EQ(Check(Arguments({{"eown.retry_budget_percent", "20"},
                             {"eown.chain_stop", "1"}})),
            "");
}

TEST(Options, BadOnesAreLoggedAndLeftAtTheirDefault) {
  eown_counters_reset();
  testing::internal::CaptureStderr();
  Node node(Form::kSync, {{"eown.mode", "enforce"}, {"eown.mood", "bad"}});
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "eown: unknown setting \"eown.mood\""),
            std::string::npos);
  EXPECT_EQ(eown_counter_read(EOWN_COUNTER_bad_settings), 1u);
  node.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  EXPECT_EQ(Call(node.Stock()).Values("error-claim"), "claimed");
}

eown_policy For(const char *json, const char *path, eown_status status) {
  return eown::grpcpp::ServiceConfig(json).For(path, status);
}

constexpr char kConfig[] = R"({"methodConfig": [
  {"name": [{"service": "a.B", "method": "Exact"}],
   "retryPolicy": {"maxAttempts": 3,
                   "retryableStatusCodes": ["UNAVAILABLE", "aborted"]}},
  {"name": [{"service": "a.B"}], "timeout": "1s"},
  {"name": [{"service": "c.D"}, {"service": "e.F", "method": ""}],
   "retryPolicy": {"maxAttempts": 2, "retryableStatusCodes": ["INTERNAL"]}},
  {"name": [{}],
   "retryPolicy": {"maxAttempts": 2, "retryableStatusCodes": ["DATA_LOSS"]}}
]})";

TEST(ServiceConfig, TheMostExactNameCounts) {
  EXPECT_EQ(For(kConfig, "/a.B/Exact", EOWN_STATUS_UNAVAILABLE),
            EOWN_POLICY_COVERS);
  EXPECT_EQ(For(kConfig, "/a.B/Exact", EOWN_STATUS_ABORTED),
            EOWN_POLICY_COVERS);
  EXPECT_EQ(For(kConfig, "/a.B/Exact", EOWN_STATUS_DATA_LOSS),
            EOWN_POLICY_NOT_LISTED);
  // Its service has a config without a policy: so it has none.
  EXPECT_EQ(For(kConfig, "/a.B/Other", EOWN_STATUS_DATA_LOSS),
            EOWN_POLICY_NONE);
  EXPECT_EQ(For(kConfig, "/c.D/Any", EOWN_STATUS_INTERNAL), EOWN_POLICY_COVERS);
  EXPECT_EQ(For(kConfig, "/e.F/Any", EOWN_STATUS_INTERNAL), EOWN_POLICY_COVERS);
  EXPECT_EQ(For(kConfig, "/g.H/Any", EOWN_STATUS_DATA_LOSS),
            EOWN_POLICY_COVERS);
}

TEST(ServiceConfig, WhatIsNoPolicyIsNone) {
  for (const char *json :
       {"", "{", "[]", "{}", R"({"methodConfig": 3})",
        R"({"methodConfig": [{"name": [{}]}]})",
        R"({"methodConfig": [{"name": [{}], "retryPolicy": {}}]})",
        R"({"methodConfig": [{"name": [{}], "retryPolicy":
            {"maxAttempts": 1, "retryableStatusCodes": ["ABORTED"]}}]})",
        R"({"methodConfig": [{"retryPolicy":
            {"maxAttempts": 2, "retryableStatusCodes": ["ABORTED"]}}]})"})
    EXPECT_EQ(For(json, "/a.B/C", EOWN_STATUS_ABORTED), EOWN_POLICY_NONE)
        << json;
}

} // namespace
