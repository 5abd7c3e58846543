// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "loop.h"

#include <algorithm>

namespace peer {
namespace {

class ByHand : public Loop {
public:
  explicit ByHand(const Options &options) : options_(options) {}
  void Prepare(grpc::ClientContext *) override { calls_++; }
  Wait After(const grpc::Status &status, grpc::ClientContext *) override {
    const auto &codes = options_.retry_codes;
    if (status.ok() || calls_ >= options_.attempts ||
        std::find(codes.begin(), codes.end(), status.error_code()) ==
            codes.end())
      return std::nullopt;
    return std::chrono::milliseconds(1);
  }

private:
  const Options &options_;
  uint64_t calls_ = 0;
};

} // namespace

std::unique_ptr<Loop> MakeLoopByHand(const Options &options) {
  return std::make_unique<ByHand>(options);
}

} // namespace peer
