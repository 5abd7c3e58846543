// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <atomic>

namespace eown {
namespace {
std::atomic<bool> has_server{false};
} // namespace

bool ProcessHasServer() { return has_server.load(std::memory_order_relaxed); }

void SetProcessHasServer() {
  has_server.store(true, std::memory_order_relaxed);
}

} // namespace eown
