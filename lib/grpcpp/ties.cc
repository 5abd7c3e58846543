// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "ties.h"

#include <stdint.h>

#include <atomic>

namespace eown::grpcpp {
namespace {

struct Place {
  std::atomic<const void *> key{nullptr};
  std::atomic<eown_context *> context{nullptr};
};

constexpr unsigned kBits = 12;
constexpr size_t kPlaces = size_t{1} << kBits;
constexpr size_t kProbes = 8;

Place places[kPlaces];

// A value keeps to the kProbes places from its hash on, so that nothing need
// mark a place that was left.
Place *PlaceOf(const void *key, size_t probe) {
  uint64_t hash = reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u;
  return &places[((hash >> (64 - kBits)) + probe) % kPlaces];
}

Place *Search(const void *key) {
  for (size_t i = 0; i < kProbes; i++) {
    Place *place = PlaceOf(key, i);
    if (place->key.load(std::memory_order_acquire) == key)
      return place;
  }
  return nullptr;
}

// Two live calls with one value: it leads to neither of them. Says whether
// `own` (null: not in the table) has a companion, whose context it takes away.
bool IsShared(const void *key, const Place *own) {
  bool shared = false;
  for (size_t i = 0; i < kProbes; i++) {
    Place *place = PlaceOf(key, i);
    if (place == own || place->key.load() != key)
      continue;
    place->context.store(nullptr);
    shared = true;
  }
  return shared;
}

// Takes a place for the key, or null where there is none. Of two that come at
// the same time at least one sees the other afterwards.
Place *Insert(const void *key, eown_context *context) {
  if (IsShared(key, nullptr))
    return nullptr;
  for (size_t i = 0; i < kProbes; i++) {
    Place *place = PlaceOf(key, i);
    const void *none = nullptr;
    if (!place->key.compare_exchange_strong(none, key))
      continue;
    place->context.store(context);
    if (IsShared(key, place))
      place->context.store(nullptr);
    return place;
  }
  return nullptr;
}

} // namespace

Tie Publish(grpc_call *call, eown_context *context) {
  Tie tie;
  census_context *taken = grpc_census_call_get_context(call);
  if (taken == nullptr) {
    grpc_census_call_set_context(call,
                                 reinterpret_cast<census_context *>(context));
  } else {
    tie.place = Insert(taken, context);
  }
  return tie;
}

void Withdraw(const Tie &tie) {
  auto *place = static_cast<Place *>(tie.place);
  if (place == nullptr)
    return;
  place->context.store(nullptr, std::memory_order_relaxed);
  place->key.store(nullptr, std::memory_order_release);
}

eown_context *Find(const void *census) {
  if (census == nullptr)
    return nullptr;
  if (eown_context_is_context(census))
    return static_cast<eown_context *>(const_cast<void *>(census));
  Place *place = Search(census);
  return place == nullptr ? nullptr
                          : place->context.load(std::memory_order_acquire);
}

} // namespace eown::grpcpp
