// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_REGISTRATION_H
#define EOWN_GRPC_REGISTRATION_H

namespace eown {

// Whether eown_grpc_init has put the filters in.
bool IsRegistered();

} // namespace eown

#endif // EOWN_GRPC_REGISTRATION_H
