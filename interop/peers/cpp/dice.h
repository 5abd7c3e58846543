// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_DICE_H
#define PEER_CPP_DICE_H

#include <mutex>
#include <random>

#include "options.h"

namespace peer {

// Decides which calls a node fails by itself: the same calls for the same
// seed, name and order of arrival. Thread-safe.
class Dice {
public:
  explicit Dice(const Options &options)
      : engine_(SeedOf(options)), rate_(options.fail_rate),
        healthy_left_(options.healthy_first) {}

  // Throws once: must this call fail?
  bool Throw() {
    std::lock_guard<std::mutex> lock(mutex_);
    bool fails = std::bernoulli_distribution(rate_)(engine_);
    if (healthy_left_ == 0)
      return fails;
    healthy_left_--;
    return false;
  }

private:
  // The name is mixed in, so that nodes do not fail in step.
  static std::mt19937_64 SeedOf(const Options &options) {
    std::vector<uint32_t> words(options.name.begin(), options.name.end());
    words.push_back(static_cast<uint32_t>(options.seed));
    words.push_back(static_cast<uint32_t>(options.seed >> 32));
    std::seed_seq seed(words.begin(), words.end());
    return std::mt19937_64(seed);
  }

  std::mutex mutex_;
  std::mt19937_64 engine_;
  double rate_;
  uint64_t healthy_left_;
};

} // namespace peer

#endif // PEER_CPP_DICE_H
