// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_PROCESS_H
#define EOWN_BINDING_PROCESS_H

#include <stdint.h>

namespace eown {

// The clock of everything that is decided: milliseconds, monotonic. Safe on any
// thread.
uint64_t Now();

// Whether this process serves inbound calls with eown: only then is an outbound
// without an inbound context a context drop; a mere client has none to lose.
bool ProcessHasServer();
void SetProcessHasServer();

} // namespace eown

#endif // EOWN_BINDING_PROCESS_H
