// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Streaming servers A, B, C in the callback form; C always fails.
#include <future>
#include <tuple>

#include <gtest/gtest.h>

#include "claim.h"
#include "service.h"
#include "stream_server.h"

namespace e2e {
namespace {

class Chain {
public:
  explicit Chain(Tie tie)
      : c("C", 0, tie), b("B", c.port(), tie), a("A", b.port(), tie) {}

  Claim CallRoot(Kind kind) {
    auto stub = Streams::NewStub(Connect(a.port(), NoRetries()));
    grpc::ClientContext context;
    std::promise<grpc::Status> ended;
    StartStream(
        kind, stub.get(), &context,
        [&ended](const grpc::Status &status) { ended.set_value(status); });
    grpc::Status status = ended.get_future().get();
    EXPECT_EQ(grpc::StatusCode::UNAVAILABLE, status.error_code());
    EXPECT_EQ("fails by itself", status.error_message());
    return ReadClaim(context);
  }

  StreamServer c, b, a;
};

class EveryKind : public testing::TestWithParam<Kind> {
protected:
  static void ExpectOwnership(Tie tie) {
    Chain chain(tie);
    Claim claim = chain.CallRoot(GetParam());
    EXPECT_EQ(1, chain.a.served());
    EXPECT_EQ(1, chain.b.served());
    EXPECT_EQ(2, chain.c.served());
    EXPECT_EQ("unclaimed", claim.value);
    EXPECT_STREQ("C", claim.detail.owner_service);
    EXPECT_EQ(2u, claim.detail.hops);
  }
};

TEST_P(EveryKind, FromCallbackServerContextNeedsNothing) {
  ExpectOwnership(Tie::kParent);
}

TEST_P(EveryKind, ScopeTiesAPlainClientContext) {
  ExpectOwnership(Tie::kScope);
}

// What the others prevent.
TEST_P(EveryKind, WithoutATieTheContextIsDropped) {
  Chain chain(Tie::kNone);
  EXPECT_EQ("claimed", chain.CallRoot(GetParam()).value);
  EXPECT_EQ(1, chain.a.served());
  EXPECT_EQ(2, chain.b.served());
  EXPECT_EQ(4, chain.c.served());
}

INSTANTIATE_TEST_SUITE_P(Streams, EveryKind,
                         testing::Values(Kind::kDown, Kind::kUp, Kind::kBoth),
                         [](const testing::TestParamInfo<Kind> &info) {
                           return info.param == Kind::kDown ? "down"
                                  : info.param == Kind::kUp ? "up"
                                                            : "both";
                         });

} // namespace
} // namespace e2e
