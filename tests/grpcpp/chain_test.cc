// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The published table: A calls B calls C calls D, which always fails; each hop
// retries once.
#include <gtest/gtest.h>

#include <array>

#include "call.h"
#include "node.h"

namespace {

using Served = std::array<int, 4>;

Served Storm(Form form, const std::string &mode, Line line, int attempts = 2) {
  Keys keys = {{"eown.mode", mode}};
  Node a(form, keys), b(form, keys), c(form, keys), d(form, keys);
  Node *nodes[] = {&a, &b, &c, &d};
  for (int i = 0; i < 3; i++) {
    nodes[i]->plan.line = line;
    nodes[i]->plan.callee = nodes[i + 1]->Channel(keys, attempts);
  }
  d.plan.own = {grpc::StatusCode::UNAVAILABLE, "down"};
  Result result = Call(a.Stock());
  EXPECT_EQ(result.status.error_message(), "down");
  if (mode != "off") {
    EXPECT_EQ(result.Values("error-claim"), "unclaimed");
    EXPECT_EQ(result.Detail().hops, 3u);
  }
  return {a.plan.served, b.plan.served, c.plan.served, d.plan.served};
}

TEST(Chain, OffIsTheStorm) {
  EXPECT_EQ(Storm(Form::kSync, "off", Line::kNone), (Served{1, 2, 4, 8}));
}

TEST(Chain, ObserveIsTheSameStorm) {
  EXPECT_EQ(Storm(Form::kSync, "observe", Line::kNone), (Served{1, 2, 4, 8}));
}

TEST(Chain, EnforceRetriesNextToTheCause) {
  EXPECT_EQ(Storm(Form::kSync, "enforce", Line::kNone), (Served{1, 1, 1, 2}));
  EXPECT_EQ(Storm(Form::kCallback, "enforce", Line::kNone),
            (Served{1, 1, 1, 2}));
  EXPECT_EQ(Storm(Form::kAsync, "enforce", Line::kScope), (Served{1, 1, 1, 2}));
  EXPECT_EQ(Storm(Form::kGenericAsync, "enforce", Line::kFromServer),
            (Served{1, 1, 1, 2}));
  EXPECT_EQ(Storm(Form::kGenericCallback, "enforce", Line::kAttach),
            (Served{1, 1, 1, 2}));
}

TEST(Chain, FourAttemptsStayNextToTheCause) {
  EXPECT_EQ(Storm(Form::kSync, "enforce", Line::kNone, 4),
            (Served{1, 1, 1, 4}));
}

} // namespace
