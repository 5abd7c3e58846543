// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_CLAIM_COUNTERS_H
#define EOWN_BINDING_CLAIM_COUNTERS_H

#include "eown/claim.h"
#include "eown/counters.h"
#include "eown/rules.h"

namespace eown {

// The counter of a claim sent with an error.
inline eown_counter SentCounter(eown_decision decision) {
  static constexpr eown_counter kCounters[EOWN_REASON_N] = {
      EOWN_COUNTER_N,
      EOWN_COUNTER_sent_own,
      EOWN_COUNTER_sent_coincidental,
      EOWN_COUNTER_sent_unreachable,
      EOWN_COUNTER_sent_at_least_once,
      EOWN_COUNTER_sent_propagated,
      EOWN_COUNTER_sent_application_claimed};
  if (decision.reason == EOWN_REASON_APPLICATION &&
      decision.claim == EOWN_CLAIM_UNCLAIMED)
    return EOWN_COUNTER_sent_application_unclaimed;
  return kCounters[decision.reason];
}

} // namespace eown

#endif // EOWN_BINDING_CLAIM_COUNTERS_H
