// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_STATUS_H
#define PEER_CPP_STATUS_H

#include <optional>
#include <string>
#include <vector>

#include <grpcpp/support/status_code_enum.h>

namespace peer {

// The status of a name such as "UNAVAILABLE", in any case; nothing where there
// is none.
std::optional<grpc::StatusCode> StatusNamed(const std::string &name);

std::string NameOf(grpc::StatusCode status);

// The statuses that speak of a fault (protos/PROTOCOL.md, Failed).
std::vector<grpc::StatusCode> Faults();

} // namespace peer

#endif // PEER_CPP_STATUS_H
