// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "retry_policy.h"

#include "absl/strings/strip.h"

namespace eown {
namespace {

using grpc_core::internal::RetryGlobalConfig;
using grpc_core::internal::RetryMethodConfig;
using grpc_core::internal::RetryServiceConfigParser;
using grpc_core::internal::ServerRetryThrottleData;
using grpc_core::internal::ServerRetryThrottleMap;

} // namespace

// gRPC shows a bucket's size but not its level, and asking it whether a retry
// is allowed takes a token.
struct TokensTag {
  using type = gpr_atm ServerRetryThrottleData::*;
  friend type Reach(TokensTag);
};
template struct Access<TokensTag, &ServerRetryThrottleData::milli_tokens_>;

// A bucket that another size took the place of leads to its successor.
struct SuccessorTag {
  using type = gpr_atm ServerRetryThrottleData::*;
  friend type Reach(SuccessorTag);
};
template struct Access<SuccessorTag, &ServerRetryThrottleData::replacement_>;

// gRPC finds a bucket only by making one, which refills one of another size.
struct BucketsTag {
  using type =
      std::map<std::string, grpc_core::RefCountedPtr<ServerRetryThrottleData>>
          ServerRetryThrottleMap::*;
  friend type Reach(BucketsTag);
};
template struct Access<BucketsTag, &ServerRetryThrottleMap::map_>;
struct MutexTag {
  using type = grpc_core::Mutex ServerRetryThrottleMap::*;
  friend type Reach(MutexTag);
};
template struct Access<MutexTag, &ServerRetryThrottleMap::mu_>;

namespace {

// The bucket of `server`, which like its successors lives as long as the
// process; null: none.
const ServerRetryThrottleData *FindBucket(const std::string &server) {
  auto *map = ServerRetryThrottleMap::Get();
  grpc_core::MutexLock lock(&(map->*Reach(MutexTag())));
  const auto &buckets = map->*Reach(BucketsTag());
  auto found = buckets.find(server);
  const ServerRetryThrottleData *bucket = nullptr;
  gpr_atm next = found == buckets.end()
                     ? 0
                     : reinterpret_cast<gpr_atm>(found->second.get());
  while (next != 0) {
    bucket = reinterpret_cast<const ServerRetryThrottleData *>(next);
    next = gpr_atm_acq_load(&(bucket->*Reach(SuccessorTag())));
  }
  return bucket;
}

} // namespace

RetryPolicy::RetryPolicy(const grpc_call_context_element *context,
                         bool enabled) {
  auto *config = static_cast<grpc_core::ServiceConfigCallData *>(
      context[GRPC_CONTEXT_SERVICE_CONFIG_CALL_DATA].value);
  known_ = config != nullptr;
  if (config == nullptr || !enabled)
    return;
  size_t index = RetryServiceConfigParser::ParserIndex();
  method_ = static_cast<const RetryMethodConfig *>(
      config->GetMethodParsedConfig(index));
  global_ = static_cast<const RetryGlobalConfig *>(
      config->GetGlobalParsedConfig(index));
}

eown_policy RetryPolicy::For(grpc_status_code status) const {
  if (method_ == nullptr)
    return EOWN_POLICY_NONE;
  return method_->retryable_status_codes().Contains(status)
             ? EOWN_POLICY_COVERS
             : EOWN_POLICY_NOT_LISTED;
}

// The failure being decided on takes a token before gRPC looks at the level.
bool RetryPolicy::Throttled(const char *server_uri) const {
  if (global_ == nullptr || server_uri == nullptr)
    return false;
  absl::StatusOr<grpc_core::URI> uri = grpc_core::URI::Parse(server_uri);
  if (!uri.ok())
    return false;
  const ServerRetryThrottleData *bucket =
      FindBucket(std::string(absl::StripPrefix(uri->path(), "/")));
  if (bucket == nullptr)
    return false;
  gpr_atm left = gpr_atm_no_barrier_load(&(bucket->*Reach(TokensTag()))) - 1000;
  return left <= static_cast<gpr_atm>(bucket->max_milli_tokens() / 2);
}

eown_counter RetryPolicy::Refusal(grpc_status_code status, uint32_t attempts,
                                  bool committed,
                                  const char *server_uri) const {
  switch (For(status)) {
  case EOWN_POLICY_NONE:
    return EOWN_COUNTER_refused_no_policy;
  case EOWN_POLICY_NOT_LISTED:
    return EOWN_COUNTER_refused_status;
  case EOWN_POLICY_COVERS:
  case EOWN_POLICY_N:
    break;
  }
  if (Throttled(server_uri))
    return EOWN_COUNTER_refused_throttled;
  if (committed)
    return EOWN_COUNTER_refused_committed;
  if (static_cast<int64_t>(attempts) >= method_->max_attempts())
    return EOWN_COUNTER_refused_attempts;
  return EOWN_COUNTER_N;
}

} // namespace eown
