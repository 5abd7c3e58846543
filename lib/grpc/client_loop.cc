// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// What a call is to the application's own retry loop.
#include "client_call.h"

namespace eown {

void ClientCall::BeginLoop(eown_context *context, bool mark) {
  if (context != nullptr && context != context_)
    Attach(context);
  is_retry_ |= mark;
}

void ClientCall::Describe(eown_retry_end *end) const {
  end->mode = mode_;
  end->context = context_;
  end->method = path().data();
  end->method_length = path().size();
  end->budget = channel_->budget;
  end->chain_stop = channel_->settings.chain_stop;
  end->attempts = attempts_;
  end->seen_claim = claim_;
  if (!pushback_theirs_.has_value())
    return;
  const bool refuses = *pushback_theirs_ < grpc_core::Duration::Zero();
  end->pushback = refuses ? EOWN_PUSHBACK_STOP : EOWN_PUSHBACK_WAIT;
  if (!refuses)
    end->pushback_ms = static_cast<uint64_t>(pushback_theirs_->millis());
}

} // namespace eown
