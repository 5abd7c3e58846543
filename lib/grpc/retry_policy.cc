// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "retry_policy.h"

namespace eown {
namespace {

using retry::RetryGlobalConfig;
using retry::RetryMethodConfig;
using retry::RetryServiceConfigParser;

} // namespace

bool RetryPolicy::Read(CallContext *context, bool enabled) {
  method_ = nullptr;
  global_ = nullptr;
  const auto *config = ServiceConfigIn(context);
  if (config == nullptr)
    return false;
  if (!enabled)
    return true;
  size_t index = RetryServiceConfigParser::ParserIndex();
  method_ = static_cast<const RetryMethodConfig *>(
      config->GetMethodParsedConfig(index));
  global_ = static_cast<const RetryGlobalConfig *>(
      config->GetGlobalParsedConfig(index));
  return true;
}

eown_policy RetryPolicy::For(grpc_status_code status) const {
  if (method_ == nullptr)
    return EOWN_POLICY_NONE;
  return method_->retryable_status_codes().Contains(status)
             ? EOWN_POLICY_COVERS
             : EOWN_POLICY_NOT_LISTED;
}

eown_counter RetryPolicy::Refusal(grpc_status_code status, uint32_t attempts,
                                  bool committed,
                                  const ThrottleKey &throttle) const {
  switch (For(status)) {
  case EOWN_POLICY_NONE:
    return EOWN_COUNTER_refused_no_policy;
  case EOWN_POLICY_NOT_LISTED:
    return EOWN_COUNTER_refused_status;
  case EOWN_POLICY_COVERS:
  case EOWN_POLICY_N:
    break;
  }
  if (global_ != nullptr && IsThrottled(throttle))
    return EOWN_COUNTER_refused_throttled;
  if (committed)
    return EOWN_COUNTER_refused_committed;
  if (static_cast<int64_t>(attempts) >= method_->max_attempts())
    return EOWN_COUNTER_refused_attempts;
  return EOWN_COUNTER_N;
}

} // namespace eown
