// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Stands in for malloc and its family and for operator new in the program it is
// linked into. The search for the caller unwinds the stack, so it is slow and
// works only while counting.
#include "allocations.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <initializer_list>

// glibc's own entry points, under the names it exports for this purpose.
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace {

enum class Side { kOther, kOurs, kRuntime };

struct Range {
  uintptr_t begin;
  uintptr_t end;
  Side side;
};

constexpr int kRangesMax = 512;
constexpr int kDepth = 24;

Range ranges[kRangesMax];
int ranges_n = 0;
std::atomic<bool> counting{false};
std::atomic<uint64_t> ours{0};
thread_local bool inside = false;

Side SideOf(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == nullptr ? path : slash + 1;
  if (strncmp(name, "libeown", 7) == 0)
    return Side::kOurs;
  for (const char *runtime : {"libc.so", "libstdc++", "libabsl"}) {
    if (strncmp(name, runtime, strlen(runtime)) == 0)
      return Side::kRuntime;
  }
  return Side::kOther;
}

int AddLibrary(dl_phdr_info *info, size_t, void *) {
  Side side = SideOf(info->dlpi_name);
  for (int i = 0; i < info->dlpi_phnum && side != Side::kOther; i++) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || ranges_n == kRangesMax)
      continue;
    uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    ranges[ranges_n++] = {begin, begin + part.p_memsz, side};
  }
  return 0;
}

Side SideOf(void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  for (int i = 0; i < ranges_n; i++) {
    if (at >= ranges[i].begin && at < ranges[i].end)
      return ranges[i].side;
  }
  return Side::kOther;
}

// The first caller that is not the runtime: frames 0 and 1 are this file's.
bool CalledByUs(void *const *frames, int n) {
  for (int i = 2; i < n; i++) {
    Side side = SideOf(frames[i]);
    if (side != Side::kRuntime)
      return side == Side::kOurs;
  }
  return false;
}

__attribute__((noinline)) void Note() {
  if (!counting.load(std::memory_order_relaxed) || inside)
    return;
  inside = true;
  void *frames[kDepth];
  if (CalledByUs(frames, backtrace(frames, kDepth)))
    ours.fetch_add(1, std::memory_order_relaxed);
  inside = false;
}

} // namespace

extern "C" {

void *malloc(size_t size) {
  void *pointer = __libc_malloc(size);
  Note();
  return pointer;
}

void *calloc(size_t count, size_t size) {
  void *pointer = __libc_calloc(count, size);
  Note();
  return pointer;
}

void *realloc(void *old, size_t size) {
  void *pointer = __libc_realloc(old, size);
  Note();
  return pointer;
}

void *aligned_alloc(size_t alignment, size_t size) {
  void *pointer = __libc_memalign(alignment, size);
  Note();
  return pointer;
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
  *pointer = __libc_memalign(alignment, size);
  Note();
  return *pointer == nullptr ? ENOMEM : 0;
}

} // extern "C"

// operator new of the C++ library calls malloc above, and the C++ library is
// runtime: so it needs no stand-in of its own.

void allocations_start(void) {
  void *frames[kDepth];
  backtrace(frames, kDepth); // loads what it needs, once
  ranges_n = 0;
  dl_iterate_phdr(AddLibrary, nullptr);
  ours.store(0);
  counting.store(true);
}

uint64_t allocations_stop(void) {
  counting.store(false);
  return ours.load();
}
