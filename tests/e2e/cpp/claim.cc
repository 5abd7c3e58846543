// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "claim.h"

namespace e2e {

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

grpc::ChannelArguments NoRetries() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return arguments;
}

} // namespace e2e
