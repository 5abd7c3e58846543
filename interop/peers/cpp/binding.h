// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_BINDING_H
#define PEER_CPP_BINDING_H

#include <functional>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>
#include <nlohmann/json.hpp>

#include "loop.h"
#include "options.h"

namespace peer {

// What brings error ownership to the node; by itself nothing. Each program has
// one binding, in a file of its own.
class Binding {
public:
  virtual ~Binding() = default;

  // Called once, before the first channel or server. False: it cannot be, and
  // it said why on standard error.
  virtual bool Start(const Options &) { return true; }

  // A channel to a callee.
  virtual std::shared_ptr<grpc::Channel>
  Connect(const CalleeOption &callee, const Options &,
          grpc::ChannelArguments arguments) {
    return grpc::CreateCustomChannel(
        callee.target, grpc::InsecureChannelCredentials(), arguments);
  }

  virtual void Extend(grpc::ServerBuilder *, const Options &) {}

  // Runs `start`, which starts an outbound call on this thread with a plain
  // ClientContext, tied to `inbound` (null: to none).
  virtual void RunTied(grpc::ServerContextBase * /*inbound*/,
                       const std::function<void()> &start) {
    start();
  }

  // A retry loop for the calls to one callee, tied to `inbound` (null: to
  // none).
  virtual std::unique_ptr<Loop> MakeLoop(grpc::ServerContextBase * /*inbound*/,
                                         const Options &options) {
    return MakeLoopByHand(options);
  }

  // Adds retries_stopped and claims_sent. `passed_on`: the errors with an
  // unclaimed claim that the retry policy covers.
  virtual void AddCounts(uint64_t passed_on, nlohmann::ordered_json *object);
  virtual void ResetCounts() {}
};

// The program's own: its name, and a new one.
extern const char kBindingName[];
std::unique_ptr<Binding> MakeBinding();

} // namespace peer

#endif // PEER_CPP_BINDING_H
