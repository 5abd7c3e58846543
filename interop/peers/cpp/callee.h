// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_CALLEE_H
#define PEER_CPP_CALLEE_H

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>
#include <nlohmann/json.hpp>

#include "options.h"

namespace peer {

class Binding;

// A node that this node calls, and what the application saw of its answers.
class Callee {
public:
  Callee(const CalleeOption &option, const Options &options, Binding *binding);

  const std::string &name() const { return option_.name; }
  const std::string &path() const { return path_; } // "/NAME/Call"
  bool fail_open() const { return option_.fail_open; }
  const std::shared_ptr<grpc::Channel> &channel() const { return channel_; }

  // Errors with an unclaimed claim that the retry policy covers.
  uint64_t passed_on() const { return passed_on_; }

  void CountCall() { calls_++; }
  // A call ended: reads the claim from an error's trailing metadata.
  void CountEnd(const grpc::Status &status, const grpc::ClientContext &context);

  nlohmann::ordered_json Counts() const;
  void ResetCounts();

private:
  using Counter = std::atomic<uint64_t>;
  Counter &CounterOf(const grpc::ClientContext &context);
  bool Retries(grpc::StatusCode status) const; // does the policy cover it?

  const CalleeOption option_;
  const std::string path_;
  const std::vector<grpc::StatusCode> retried_; // empty: no policy
  const std::shared_ptr<grpc::Channel> channel_;
  Counter calls_{0}, errors_{0};
  Counter claimed_{0}, unclaimed_{0}, missing_{0}, other_{0};
  Counter passed_on_{0};
};

} // namespace peer

#endif // PEER_CPP_CALLEE_H
