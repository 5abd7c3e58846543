// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_STREAM_CALL_H
#define EOWN_TESTS_E2E_CPP_STREAM_CALL_H

#include <functional>

#include <grpcpp/grpcpp.h>

#include "streams.grpc.pb.h"

namespace e2e {

using eown::e2e::Streams;
using eown::e2e::Word;

enum class Kind { kDown, kUp, kBoth };

// Calls the method of the kind with the callback API: one word up, and all that
// comes down is read. `ended` is told its status, and may end the context.
void StartStream(Kind kind, Streams::Stub *stub, grpc::ClientContext *context,
                 std::function<void(const grpc::Status &)> ended);

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_STREAM_CALL_H
