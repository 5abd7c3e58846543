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

// gRPC shows the bucket's size but not its level, and asking it whether a retry
// is allowed takes a token.
struct TokensTag {
  using type = gpr_atm ServerRetryThrottleData::*;
  friend type Reach(TokensTag);
};
template struct Access<TokensTag, &ServerRetryThrottleData::milli_tokens_>;

RetryPolicy::RetryPolicy(const grpc_call_context_element *context,
                         bool enabled) {
  auto *config = static_cast<grpc_core::ServiceConfigCallData *>(
      context[GRPC_CONTEXT_SERVICE_CONFIG_CALL_DATA].value);
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
  auto data = ServerRetryThrottleMap::Get()->GetDataForServer(
      std::string(absl::StripPrefix(uri->path(), "/")),
      global_->max_milli_tokens(), global_->milli_token_ratio());
  gpr_atm left =
      gpr_atm_no_barrier_load(&(data.get()->*Reach(TokensTag()))) - 1000;
  return left <= static_cast<gpr_atm>(global_->max_milli_tokens() / 2);
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
