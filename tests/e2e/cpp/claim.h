// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_CLAIM_H
#define EOWN_TESTS_E2E_CPP_CLAIM_H

#include <string>

#include <grpcpp/grpcpp.h>

#include "eown/claim.h"

namespace e2e {

// What a client reads from an error's trailing metadata.
struct Claim {
  std::string value;
  size_t values = 0; // under the claim's key
  eown_claim_detail detail = {};
};

Claim ReadClaim(const grpc::ClientContext &context);

// A channel's arguments without retries.
grpc::ChannelArguments NoRetries();

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_CLAIM_H
