// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_LOOPS_H
#define EOWN_GRPCPP_LOOPS_H

#include "eown/retry.h"

namespace grpc {
class ClientContext;
}

namespace eown::grpcpp {

// Where the application's loop that makes this call wants to be told of its
// end; null where no loop makes it.
eown_retry_end *FindLoop(const grpc::ClientContext *client);

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_LOOPS_H
