// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_PLACES_H
#define EOWN_GRPCPP_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include <atomic>

namespace eown::grpcpp {

// A table of fixed size, without locks, from addresses to values that live as
// long as their place is taken.
template <typename Value>
class Places {
public:
  struct Place {
    std::atomic<const void *> key{nullptr};
    std::atomic<Value *> value{nullptr};
  };

  // Takes a place for the key, or null where there is none. Of two that come
  // with one key at the same time at least one sees the other afterwards, and
  // the key leads to neither any more.
  Place *Insert(const void *key, Value *value) {
    if (IsShared(key, nullptr))
      return nullptr;
    for (size_t i = 0; i < kProbes; i++) {
      Place *place = PlaceOf(key, i);
      const void *none = nullptr;
      if (!place->key.compare_exchange_strong(none, key))
        continue;
      place->value.store(value);
      if (IsShared(key, place))
        place->value.store(nullptr);
      return place;
    }
    return nullptr;
  }

  static void Remove(Place *place) {
    place->value.store(nullptr, std::memory_order_relaxed);
    place->key.store(nullptr, std::memory_order_release);
  }

  Value *Find(const void *key) {
    for (size_t i = 0; i < kProbes; i++) {
      Place *place = PlaceOf(key, i);
      if (place->key.load(std::memory_order_acquire) == key)
        return place->value.load(std::memory_order_acquire);
    }
    return nullptr;
  }

private:
  static constexpr unsigned kBits = 12;
  static constexpr size_t kPlaces = size_t{1} << kBits;
  static constexpr size_t kProbes = 8;

  // A key keeps to the kProbes places from its hash on, so that nothing need
  // mark a place that was left.
  Place *PlaceOf(const void *key, size_t probe) {
    uint64_t hash = reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u;
    return &places_[((hash >> (64 - kBits)) + probe) % kPlaces];
  }

  // Says whether `own` (null: not in the table) has a companion of the same
  // key, whose value it takes away.
  bool IsShared(const void *key, const Place *own) {
    bool shared = false;
    for (size_t i = 0; i < kProbes; i++) {
      Place *place = PlaceOf(key, i);
      if (place == own || place->key.load() != key)
        continue;
      place->value.store(nullptr);
      shared = true;
    }
    return shared;
  }

  Place places_[kPlaces];
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_PLACES_H
