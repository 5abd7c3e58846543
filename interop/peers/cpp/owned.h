// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_OWNED_H
#define PEER_CPP_OWNED_H

#include "binding.h"
#include "eown/retry.hpp"

namespace peer {

// What the bindings that bring ownership have in common: the settings, as
// channel arguments, and the counts.
class Owned : public Binding {
public:
  void AddCounts(uint64_t passed_on, nlohmann::ordered_json *object) override;
  void ResetCounts() override;

protected:
  static bool IsStock(const Options &options) {
    return options.ownership == "stock";
  }
  // Makes a loop of this binding's own kind.
  template <typename Retry>
  static std::unique_ptr<Loop> MakeOwnedLoop(eown_context *context,
                                             grpc::ServerContextBase *inbound,
                                             const Options &options) {
    eown::RetryOptions loop = LoopOptions(options);
    if (inbound != nullptr)
      loop.deadline = inbound->deadline();
    return std::make_unique<OwnedLoop<Retry, eown::RetryOptions>>(context,
                                                                  loop);
  }
  static eown::RetryOptions LoopOptions(const Options &options);
  static void SetArguments(grpc::ChannelArguments *arguments,
                           const CalleeOption &callee, const Options &options);
};

} // namespace peer

#endif // PEER_CPP_OWNED_H
