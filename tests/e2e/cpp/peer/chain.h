// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_PEER_CHAIN_H
#define EOWN_TESTS_E2E_CPP_PEER_CHAIN_H

#include <memory>
#include <optional>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "process.h"

namespace e2e {

// Programs, as the words they are started with.
Words Peer(const std::string &binding, const std::string &form);
Words EownNode(); // in C, with the filters

// What a plain client, without retries, got from a node.
struct Answer {
  grpc::Status status;
  uint32_t nodes_below = 0;
  std::string claim; // "" none; "several" more than one
  std::string owner; // of the claim's detail
  uint32_t hops = 0;
};

// Calls a node once at /eown.interop.v1.Node/Call; with `only` it calls that
// callee alone.
Answer CallNode(const Process &node,
                const std::optional<std::string> &only = {});

// What a node counted so far, by its Stats.
nlohmann::json StatsOf(const Process &node, bool reset = false);

// Calls each of which has one retry: A, B and so on; the last one always fails.
class Chain {
public:
  // `words`: the program of each node, A's first, with options of its own.
  Chain(const std::vector<Words> &words, const std::string &ownership);

  // Calls A.
  Answer Call();

  // Ends all and returns what they counted, A first.
  std::vector<nlohmann::json> Stop();

private:
  std::vector<std::unique_ptr<Process>> nodes_;
};

// A member of each node's counts.
std::vector<int> CountsOf(const std::vector<nlohmann::json> &nodes,
                          const std::string &pointer);

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_PEER_CHAIN_H
