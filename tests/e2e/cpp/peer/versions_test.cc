// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// A chain across versions of gRPC: the C++ node built against 1.83, among those
// of the version that this tree is built against.
#include <gtest/gtest.h>
#include <unistd.h>

#include "chain.h"

namespace e2e {
namespace {

using Counts = std::vector<int>;

class Versions : public testing::Test {
protected:
  void SetUp() override {
    if (access(kBuilt, F_OK) != 0)
      GTEST_SKIP() << "there is no " << kBuilt
                   << ": interop/peers/cpp183/setup makes it";
  }

  static Words Newer(const std::string &form) {
    return {E2E_PEERS "/cpp183/node", "--form", form};
  }

  static constexpr char kBuilt[] =
      E2E_PEERS "/../../build/peers/cpp183/interop/peers/cpp/"
                "eown-peer-cpp-interceptors";
};

// A here, B newer, C in C with the filters, D here.
std::vector<Words> Mixed(const Words &newer) {
  return {Peer("interceptors", "sync"), newer, EownNode(),
          Peer("interceptors", "sync")};
}

TEST_F(Versions, OwnershipStopsTheStorm) {
  for (const char *form : {"sync", "callback", "async", "generic"}) {
    SCOPED_TRACE(form);
    Chain chain(Mixed(Newer(form)), "enforce");
    Answer answer = chain.Call();
    EXPECT_EQ("unclaimed", answer.claim);
    EXPECT_EQ("D", answer.owner);
    EXPECT_EQ(3u, answer.hops);
    auto nodes = chain.Stop();
    EXPECT_EQ(Counts({1, 1, 1, 2}), CountsOf(nodes, "/served"));
    EXPECT_EQ(Counts({1, 1, 1, 0}), CountsOf(nodes, "/claims_sent/unclaimed"));
  }
}

TEST_F(Versions, StockIsAStorm) {
  Chain chain(Mixed(Newer("sync")), "stock");
  EXPECT_EQ("", chain.Call().claim);
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 2, 4, 8}), CountsOf(nodes, "/served"));
}

TEST_F(Versions, TheNewerAloneDoesTheSame) {
  for (const char *form : {"sync", "callback", "async", "generic"}) {
    SCOPED_TRACE(form);
    Chain chain(std::vector<Words>(4, Newer(form)), "enforce");
    EXPECT_EQ("unclaimed", chain.Call().claim);
    auto nodes = chain.Stop();
    EXPECT_EQ(Counts({1, 1, 1, 2}), CountsOf(nodes, "/served"));
  }
}

// Without a binding the pushback of its callee stops it.
TEST_F(Versions, PushbackStopsAStockNodeOfTheNewer) {
  Words stock = Newer("sync");
  stock.insert(stock.end(), {"--binding", "none"});
  Chain chain({EownNode(), stock, EownNode(), EownNode()}, "enforce");
  chain.Call();
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 2, 2, 4}), CountsOf(nodes, "/served"));
}

} // namespace
} // namespace e2e
