// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The C++ node in every form and with every binding, as processes.
#include <gtest/gtest.h>

#include "chain.h"

namespace e2e {
namespace {

using Counts = std::vector<int>;

struct Kind {
  const char *binding;
  const char *form;
};

class EveryKind : public testing::TestWithParam<Kind> {
protected:
  static Words Node(const std::string &context = "parent") {
    Words words = Peer(GetParam().binding, GetParam().form);
    words.insert(words.end(), {"--context", context});
    return words;
  }
};

std::vector<Words> Fourfold(const Words &words) {
  return std::vector<Words>(4, words);
}

void ExpectOwnership(const std::vector<Words> &words) {
  Chain chain(words, "enforce");
  Answer answer = chain.Call();
  EXPECT_EQ(grpc::StatusCode::UNAVAILABLE, answer.status.error_code());
  EXPECT_EQ("D fails by itself", answer.status.error_message());
  EXPECT_EQ("unclaimed", answer.claim);
  EXPECT_EQ("D", answer.owner);
  EXPECT_EQ(3u, answer.hops);
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 1, 1, 2}), CountsOf(nodes, "/served"));
  EXPECT_EQ(Counts({1, 1, 1, 2}), CountsOf(nodes, "/errors"));
  EXPECT_EQ(Counts({0, 0, 0, 2}), CountsOf(nodes, "/own_failures"));
  EXPECT_EQ(Counts({1, 1, 1, 0}), CountsOf(nodes, "/made"));
  EXPECT_EQ(Counts({1, 1, 1, 0}), CountsOf(nodes, "/claims_sent/unclaimed"));
  EXPECT_EQ(Counts({0, 0, 0, 2}), CountsOf(nodes, "/claims_sent/claimed"));
  EXPECT_EQ(Counts({1, 1, 0, 0}),
            CountsOf(nodes, "/retries_stopped/unclaimed"));
}

TEST_P(EveryKind, OwnershipStopsTheStorm) {
  ExpectOwnership(Fourfold(Node("parent")));
}

TEST_P(EveryKind, PlainContextsAreTiedToo) {
  ExpectOwnership(Fourfold(Node("thread")));
}

TEST_P(EveryKind, AmongNodesInC) {
  ExpectOwnership({Node(), EownNode(), Node(), EownNode()});
}

// C's calls find no inbound: it claims D's error, and B retries C.
TEST_P(EveryKind, ContextDropCostsOneHop) {
  Chain chain({Node(), Node(), Node("none"), Node()}, "enforce");
  Answer answer = chain.Call();
  EXPECT_EQ("unclaimed", answer.claim);
  EXPECT_EQ("C", answer.owner);
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 1, 2, 4}), CountsOf(nodes, "/served"));
}

TEST_P(EveryKind, StockIsAStorm) {
  Chain chain(Fourfold(Node()), "stock");
  Answer answer = chain.Call();
  EXPECT_EQ(grpc::StatusCode::UNAVAILABLE, answer.status.error_code());
  EXPECT_EQ("", answer.claim);
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 2, 4, 8}), CountsOf(nodes, "/served"));
}

TEST_P(EveryKind, ObserveSaysAndStopsNothing) {
  Chain chain(Fourfold(Node()), "observe");
  EXPECT_EQ("unclaimed", chain.Call().claim);
  auto nodes = chain.Stop();
  EXPECT_EQ(Counts({1, 2, 4, 8}), CountsOf(nodes, "/served"));
  EXPECT_EQ(Counts({1, 2, 4, 0}), CountsOf(nodes, "/claims_sent/unclaimed"));
}

std::vector<Kind> Kinds() {
  std::vector<Kind> kinds;
  for (const char *form : {"sync", "callback", "async", "generic"}) {
    kinds.push_back({"filters", form});
#ifdef E2E_PEER_CPP_INTERCEPTORS
    kinds.push_back({"interceptors", form});
#endif
  }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Peer, EveryKind, testing::ValuesIn(Kinds()),
                         [](const testing::TestParamInfo<Kind> &info) {
                           return std::string(info.param.binding) + "_" +
                                  info.param.form;
                         });

// A node in the middle that knows nothing of eown: its callee's pushback stops
// it, its caller hears nothing.
TEST(PeerWithoutBinding, IsAStockNode) {
  for (const char *form : {"sync", "callback", "async", "generic"}) {
    SCOPED_TRACE(form);
    Words owned = Peer("filters", "sync");
    Chain chain({owned, Peer("none", form), owned, owned}, "enforce");
    EXPECT_EQ("unclaimed", chain.Call().claim);
    auto nodes = chain.Stop();
    EXPECT_EQ(Counts({1, 2, 2, 4}), CountsOf(nodes, "/served"));
    EXPECT_EQ(2, nodes[1]["callees"][0]["unclaimed"]);
    EXPECT_EQ(1, nodes[0]["callees"][0]["missing"]);
  }
}

} // namespace
} // namespace e2e
