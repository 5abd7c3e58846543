// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The C++ node by itself: what interop/peers/README.md says of a node.
#include <gtest/gtest.h>

#include "chain.h"

namespace e2e {
namespace {

class EveryForm : public testing::TestWithParam<const char *> {
protected:
  static Words Node(const std::string &name, const Words &more) {
    Words words = Peer("filters", GetParam());
    words.insert(words.end(), {"--name", name, "--ownership", "enforce"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::string Callee(const std::string &name, const Process &node,
                            const std::string &more = "") {
    return name + "=127.0.0.1:" + std::to_string(node.port()) + more;
  }
};

TEST_P(EveryForm, AnswersWithWhatIsBelow) {
  Process c(Node("C", {})), d(Node("D", {}));
  Process b(Node("B", {"--callee", Callee("C", c)}));
  Process a(
      Node("A", {"--callee", Callee("B", b), "--callee", Callee("D", d)}));
  Answer answer = CallNode(a);
  EXPECT_TRUE(answer.status.ok());
  EXPECT_EQ(3u, answer.nodes_below);
  EXPECT_EQ("", answer.claim);
  EXPECT_EQ(1, d.Stop()["served"]);
  EXPECT_EQ(1, c.Stop()["served"]);
}

TEST_P(EveryForm, CallsTheOneThatIsNamed) {
  Process c(Node("C", {})), d(Node("D", {"--fail-rate", "1"}));
  Process a(
      Node("A", {"--callee", Callee("C", c), "--callee", Callee("D", d)}));
  EXPECT_TRUE(CallNode(a, "C").status.ok());
  EXPECT_FALSE(CallNode(a, "D").status.ok());
  EXPECT_EQ(1, c.Stop()["served"]);
  nlohmann::json counts = a.Stop();
  EXPECT_EQ(2, counts["made"]);
  EXPECT_EQ(1, counts["errors"]);
  EXPECT_EQ(1, counts["callees"][1]["claimed"]);
}

TEST_P(EveryForm, RefusesACalleeThatItDoesNotHave) {
  Process d(Node("D", {}));
  Process a(Node("A", {"--callee", Callee("D", d), "--fail-rate", "1"}));
  for (const std::string name : {"X", ""}) {
    Answer answer = CallNode(a, name);
    EXPECT_EQ(grpc::StatusCode::INVALID_ARGUMENT, answer.status.error_code());
    EXPECT_EQ("eown-node-callee: '" + name +
                  "': expected the name of a callee of A",
              answer.status.error_message());
  }
  nlohmann::json counts = a.Stop();
  EXPECT_EQ(2, counts["served"]);
  EXPECT_EQ(2, counts["errors"]);
  EXPECT_EQ(0, counts["own_failures"]);
  EXPECT_EQ(0, counts["made"]);
}

TEST_P(EveryForm, CarriesOnWithoutAFailOpenCallee) {
  Process x(Node("X", {"--fail-rate", "1", "--fail-status", "ABORTED"}));
  Process a(
      Node("A", {"--attempts", "2", "--callee", Callee("X", x, ",fail-open")}));
  EXPECT_TRUE(CallNode(a).status.ok());
  EXPECT_EQ(2, x.Stop()["served"]);
}

// With an owner's claim: what failed is not what it fails of.
TEST_P(EveryForm, ClaimsItsOwnErrorBesideAFailOpenOne) {
  Process x(Node("X", {"--fail-rate", "1"}));
  Process a(
      Node("A", {"--attempts", "2", "--callee", Callee("X", x, ",fail-open"),
                 "--fail-rate", "1", "--fail-status", "DATA_LOSS"}));
  Answer answer = CallNode(a);
  EXPECT_EQ(grpc::StatusCode::DATA_LOSS, answer.status.error_code());
  EXPECT_EQ("claimed", answer.claim);
  EXPECT_EQ("A", answer.owner);
  EXPECT_EQ(2, x.Stop()["served"]);
}

TEST_P(EveryForm, RetriesOnlyTheCodesThatAreListed) {
  Process d(Node("D", {"--fail-rate", "1", "--fail-status", "ABORTED"}));
  Process a(Node("A", {"--attempts", "3", "--retry-codes", "UNAVAILABLE",
                       "--callee", Callee("D", d)}));
  Process b(Node("B", {"--attempts", "3", "--retry-codes",
                       "UNAVAILABLE,aborted", "--callee", Callee("D", d)}));
  EXPECT_EQ("claimed", CallNode(a).claim); // nobody retried it yet
  EXPECT_EQ(1, StatsOf(d, true)["served"]);
  EXPECT_EQ("unclaimed", CallNode(b).claim);
  EXPECT_EQ(3, StatsOf(d)["served"]);
}

TEST_P(EveryForm, IsHealthyFirstAndCountsSinceTheReset) {
  Process d(Node("D", {"--fail-rate", "1", "--healthy-first", "1"}));
  EXPECT_TRUE(CallNode(d).status.ok());
  EXPECT_FALSE(CallNode(d).status.ok());
  nlohmann::json stats = StatsOf(d, true);
  EXPECT_EQ("stats", stats["event"]);
  EXPECT_EQ("D", stats["name"]);
  EXPECT_EQ(2, stats["served"]);
  EXPECT_EQ(1, stats["own_failures"]);
  EXPECT_EQ(0, StatsOf(d)["served"]);
}

INSTANTIATE_TEST_SUITE_P(Peer, EveryForm,
                         testing::Values("sync", "callback", "async",
                                         "generic"),
                         [](const testing::TestParamInfo<const char *> &info) {
                           return std::string(info.param);
                         });

struct Refused {
  const char *option;
  const char *value;
  const char *expected;
};

TEST(PeerOptions, RefusesWithOptionValueAndWhatWasExpected) {
  const Refused refused[] = {
      {"--name", "a/b", "1 to 63 letters"},
      {"--listen", "127.0.0.1", "HOST:PORT"},
      {"--callee", "D=127.0.0.1:0", "NAME=HOST:PORT"},
      {"--callee", "D=127.0.0.1:7,closed", "NAME=HOST:PORT,fail-open"},
      {"--fail-rate", "1.5", "from 0 to 1"},
      {"--fail-status", "OK", "other than OK"},
      {"--healthy-first", "-1", "a whole number"},
      {"--seed", "x", "a whole number"},
      {"--attempts", "0", "from 1 to 100"},
      {"--retry-codes", "ABORTED,", "separated by commas"},
      {"--ownership", "on", "stock, off, observe or enforce"},
      {"--context", "thin", "parent, thread or none"},
      {"--form", "rest", "sync, callback, async or generic"},
      {"--binding", "none", "filters"},
  };
  for (const Refused &bad : refused) {
    SCOPED_TRACE(bad.option);
    Words words = Peer("filters", "sync");
    words.insert(words.end(), {bad.option, bad.value});
    Finished finished = RunToEnd(words);
    EXPECT_EQ(2, finished.status);
    for (const char *part : {bad.option, bad.value, bad.expected})
      EXPECT_NE(std::string::npos, finished.output.find(part))
          << finished.output;
  }
}

TEST(PeerOptions, RefusesWhatItDoesNotKnow) {
  for (const char *word : {"--delay-ms", "more"}) {
    Words words = Peer("none", "sync");
    words.push_back(word);
    Finished finished = RunToEnd(words);
    EXPECT_EQ(2, finished.status);
    EXPECT_NE(std::string::npos, finished.output.find(word));
  }
}

TEST(PeerOptions, SaysWhereItCannotListen) {
  Process taken(Peer("none", "sync"));
  std::string address = "127.0.0.1:" + std::to_string(taken.port());
  Words words = Peer("none", "sync");
  words.insert(words.end(), {"--listen", address});
  Finished finished = RunToEnd(words);
  EXPECT_EQ(1, finished.status);
  EXPECT_NE(std::string::npos, finished.output.find(address));
}

} // namespace
} // namespace e2e
