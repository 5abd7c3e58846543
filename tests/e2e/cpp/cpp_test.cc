// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Sync C++ services A, B, C; C always fails. A plain client calls A.
#include <string>

#include <gtest/gtest.h>

#include "eown/claim.h"
#include "eown/counters.h"
#include "service.h"

namespace e2e {
namespace {

// What the client reads from an error's trailing metadata.
struct Claim {
  std::string value;
  size_t values = 0; // under the claim's key
  eown_claim_detail detail = {};
};

Claim ReadClaim(const grpc::ClientContext &context) {
  Claim claim;
  const auto &trailers = context.GetServerTrailingMetadata();
  claim.values = trailers.count(EOWN_CLAIM_KEY);
  for (const auto &item : trailers) {
    if (item.first == EOWN_CLAIM_KEY)
      claim.value.assign(item.second.data(), item.second.size());
    if (item.first == EOWN_CLAIM_DETAIL_KEY)
      eown_claim_detail_decode(
          reinterpret_cast<const uint8_t *>(item.second.data()),
          item.second.size(), &claim.detail);
  }
  return claim;
}

struct Chain {
  explicit Chain(const Outbound &outbound)
      : c("C", 0, nullptr), b("B", c.port(), outbound),
        a("A", b.port(), outbound) {}

  Claim CallRoot() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
    auto stub = Node::NewStub(Connect(a.port(), arguments));
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
