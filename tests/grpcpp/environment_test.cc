// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// EOWN_MODE, read when the first interceptor is made.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "call.h"
#include "node.h"

TEST(Environment, WinsOverTheSettings) {
  setenv("EOWN_MODE", "observe", 1);
  Node callee(Form::kSync, {{"eown.mode", "off"}});
  Node node(Form::kSync, {{"eown.mode", "off"}});
  callee.plan.own = {grpc::StatusCode::UNAVAILABLE, ""};
  node.plan.callee = callee.Channel({{"eown.service_name", "x"}}, 2);
  Result result = Call(node.Stock(4));
  EXPECT_EQ(result.Values("error-claim"), "unclaimed");
  EXPECT_EQ(result.Values("grpc-retry-pushback-ms"), "");
  EXPECT_EQ(node.plan.served, 4);
}
