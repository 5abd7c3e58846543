// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "eown/grpc.h"
#include "server_memory.h"

void eown_grpc_memory_each(void (*visit)(void *user, const char *service,
                                         eown_memory_table *table,
                                         uint64_t now_ms),
                           void *user) {
  eown::EachServerMemory(visit, user);
}
