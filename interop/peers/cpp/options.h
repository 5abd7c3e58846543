// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_OPTIONS_H
#define PEER_CPP_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include <grpcpp/support/status_code_enum.h>

namespace peer {

struct CalleeOption {
  std::string name;
  std::string target; // HOST:PORT
  bool fail_open = false;
};

// How an outbound call finds its inbound.
enum class Way { kParent, kThread, kNone };

// Who makes the retries: gRPC's policy, the node's own loop, or both.
enum class RetryBy { kGrpc, kApplication, kBoth };

enum class FormName { kSync, kCallback, kAsync, kGeneric };

// The command line, as read.
struct Options {
  std::string name = "node";
  std::string listen = "127.0.0.1:0";
  std::vector<CalleeOption> callees;
  double fail_rate = 0;
  grpc::StatusCode fail_status = grpc::StatusCode::UNAVAILABLE;
  uint64_t healthy_first = 0;
  uint64_t seed = 1;
  uint64_t attempts = 1;
  std::vector<grpc::StatusCode> retry_codes;
  RetryBy retry_by = RetryBy::kGrpc;
  std::string ownership = "stock";
  Way way = Way::kParent;
  FormName form = FormName::kSync;

  bool has_policy() const {
    return attempts > 1 && retry_by != RetryBy::kApplication;
  }
  bool has_loop() const { return attempts > 1 && retry_by != RetryBy::kGrpc; }
};

// Reads the command line. --help, and a bad one, end the process; the latter
// with status 2 and a message that names the option, the value and what was
// expected. `binding`: the name of the one this program has.
Options ParseOptions(int argc, char **argv, const std::string &binding);

} // namespace peer

#endif // PEER_CPP_OPTIONS_H
