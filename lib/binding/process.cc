// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <time.h>

#include <atomic>

namespace eown {
namespace {
std::atomic<bool> has_server{false};
} // namespace

uint64_t Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 +
         static_cast<uint64_t>(now.tv_nsec) / 1000000;
}

bool ProcessHasServer() { return has_server.load(std::memory_order_relaxed); }

void SetProcessHasServer() {
  has_server.store(true, std::memory_order_relaxed);
}

} // namespace eown
