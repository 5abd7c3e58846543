// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Sync C++ services A, B, C; C always fails. A plain client calls A.
#include <gtest/gtest.h>

#include "claim.h"
#include "eown/counters.h"
#include "service.h"

namespace e2e {
namespace {

struct Chain {
  explicit Chain(const Outbound &outbound)
      : c("C", 0, nullptr), b("B", c.port(), outbound),
        a("A", b.port(), outbound) {}

  Claim CallRoot() {
    auto stub = Node::NewStub(Connect(a.port(), NoRetries()));
    grpc::ClientContext context;
    CallReply reply;
    grpc::Status status = stub->Call(&context, CallRequest(), &reply);
    EXPECT_EQ(grpc::StatusCode::UNAVAILABLE, status.error_code());
    EXPECT_EQ("fails by itself", status.error_message());
    return ReadClaim(context);
  }

  Server c, b, a;
};

void ExpectOwnership(const Outbound &outbound) {
  eown_counters_reset();
  Chain chain(outbound);
  Claim claim = chain.CallRoot();
  EXPECT_EQ(1, chain.a.served());
  EXPECT_EQ(1, chain.b.served());
  EXPECT_EQ(2, chain.c.served());
  EXPECT_EQ(1u, claim.values);
  EXPECT_EQ("unclaimed", claim.value);
  EXPECT_STREQ("C", claim.detail.owner_service);
  EXPECT_EQ(2u, claim.detail.hops);
  EXPECT_EQ(EOWN_REASON_PROPAGATED, claim.detail.reason);
  EXPECT_EQ(1u, eown_counter_read(EOWN_COUNTER_stopped_unclaimed));
}

TEST(Cpp, FromServerContextNeedsNothing) { ExpectOwnership(FromServerContext); }

TEST(Cpp, ScopeTiesAPlainClientContext) { ExpectOwnership(InScope); }

TEST(Cpp, ContextCrossesThreads) { ExpectOwnership(OnAnotherThread); }

// What the others prevent: without a tie B claims C's error, and A retries.
TEST(Cpp, WithoutATieTheContextIsDropped) {
  eown_counters_reset();
  Chain chain(Untied);
  Claim claim = chain.CallRoot();
  EXPECT_EQ(1, chain.a.served());
  EXPECT_EQ(2, chain.b.served());
  EXPECT_EQ(4, chain.c.served());
  EXPECT_EQ("claimed", claim.value);
  EXPECT_STREQ("A", claim.detail.owner_service);
  EXPECT_EQ(EOWN_REASON_OWN, claim.detail.reason);
  EXPECT_EQ(3u, eown_counter_read(EOWN_COUNTER_context_drops));
}

} // namespace
} // namespace e2e
