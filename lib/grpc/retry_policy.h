// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_RETRY_POLICY_H
#define EOWN_GRPC_RETRY_POLICY_H

#include "compat_context.h"
#include "eown/counters.h"
#include "eown/rules.h"
#include "throttle.h"

namespace eown {

// The retry policy that gRPC applies to one call, read from the call's own
// service config.
class RetryPolicy {
public:
  // Nothing is set before Read, so that calls that end well pay for nothing.
  RetryPolicy() {}

  // `enabled`: the channel has gRPC's retry filter at all. Says whether gRPC
  // has settled the call's service config; where it has not, there is no policy
  // yet.
  bool Read(CallContext *context, bool enabled);

  eown_policy For(grpc_status_code status) const;

  // Why gRPC itself would not retry after `attempts` attempts, the last of them
  // ended with `status`; EOWN_COUNTER_N where it would, pushback aside. Asks in
  // the order of gRPC's retry filter.
  eown_counter Refusal(grpc_status_code status, uint32_t attempts,
                       bool committed, const ThrottleKey &throttle) const;

private:
  const retry::RetryMethodConfig *method_;
  const retry::RetryGlobalConfig *global_;
};

} // namespace eown

#endif // EOWN_GRPC_RETRY_POLICY_H
