// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_SERVER_MEMORY_H
#define EOWN_GRPC_SERVER_MEMORY_H

#include "eown/memory_table.h"
#include "eown/settings.h"

namespace eown {

// The dependency memory of a server: its table, and what keeps it in a file and
// shares it. The first connection of a server with these settings makes it; it
// lives as long as the process, whose exit saves it, because a server's
// connections come and go. Servers of the same service name and memory settings
// have one memory in common.
//
// Returns null where the settings say so, or where memory is not to be had.
eown_memory_table *ServerMemory(const eown_settings &settings);

} // namespace eown

#endif // EOWN_GRPC_SERVER_MEMORY_H
