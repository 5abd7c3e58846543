// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_NODE_H
#define PEER_CPP_NODE_H

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "binding.h"
#include "callee.h"
#include "dice.h"
#include "options.h"

namespace peer {

// The node: its callees and what it counts, whatever the form that serves.
class Node {
public:
  Node(const Options &options, Binding *binding);

  const Options &options() const { return options_; }
  const std::string &path() const { return path_; } // "/NAME/Call"
  const std::vector<std::unique_ptr<Callee>> &callees() const {
    return callees_;
  }

  bool CountServed() { // true: the call must fail
    served_++;
    return dice_.Throw();
  }
  void CountMade() { made_++; }
  void CountAnswer(const grpc::Status &status, bool own_failure);

  // The ClientContext of an outbound call.
  std::unique_ptr<grpc::ClientContext>
  MakeContext(const grpc::ServerContextBase &inbound) const;

  // The node's own retry loop for the calls to one callee; null: it has none.
  std::unique_ptr<Loop> MakeLoop(grpc::ServerContextBase *inbound);

  // Runs `start`, which starts an outbound call on this thread, so that it is
  // tied as --context says. `by_itself`: what runs on a handler's thread is
  // tied without help.
  void RunTied(grpc::ServerContextBase *inbound, bool by_itself,
               const std::function<void()> &start);

  // The counts as one line of JSON, `event` first.
  std::string Counts(const std::string &event) const;
  void ResetCounts();

private:
  const Options options_;
  Binding *const binding_;
  const std::string path_;
  std::vector<std::unique_ptr<Callee>> callees_;
  Dice dice_;
  std::atomic<uint64_t> served_{0}, errors_{0}, own_failures_{0}, made_{0};
};

} // namespace peer

#endif // PEER_CPP_NODE_H
