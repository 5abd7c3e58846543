// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_THROTTLE_H
#define EOWN_GRPC_THROTTLE_H

#include "compat.h"

namespace eown {

// What a channel's retry throttling is known by. gRPC keeps one bucket for each
// server until 1.73, later one for each channel.
struct ThrottleKey {
  const char *server_uri;               // null: none
  grpc_channel_element *client_channel; // null: a direct channel
};

// Whether gRPC would not retry after one more failure: a failure takes a token
// before gRPC looks at the level. Since 1.79 a channel whose routes come from
// xDS counts as never throttled: its buckets are not to be found.
bool IsThrottled(const ThrottleKey &key);

} // namespace eown

#endif // EOWN_GRPC_THROTTLE_H
