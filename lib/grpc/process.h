// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_PROCESS_H
#define EOWN_GRPC_PROCESS_H

namespace eown {

// Whether this process serves inbound calls with eown: only then is an outbound
// without an inbound context a context drop; a mere client has none to lose.
bool ProcessHasServer();
void SetProcessHasServer();

} // namespace eown

#endif // EOWN_GRPC_PROCESS_H
