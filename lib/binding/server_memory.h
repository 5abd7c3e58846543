// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_SERVER_MEMORY_H
#define EOWN_BINDING_SERVER_MEMORY_H

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

// Calls `visit` for each memory there is: the service's name ("" where it has
// none), the table and the time by its clock. No lock is held meanwhile.
using MemoryVisit = void (*)(void *user, const char *service,
                             eown_memory_table *table, uint64_t now_ms);
void EachServerMemory(MemoryVisit visit, void *user);

} // namespace eown

#endif // EOWN_BINDING_SERVER_MEMORY_H
