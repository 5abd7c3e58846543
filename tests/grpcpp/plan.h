// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_PLAN_H
#define EOWN_TESTS_GRPCPP_PLAN_H

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "eown/grpcpp.hpp"
#include "probe.grpc.pb.h"

// How a server ties its outbound call to its inbound one.
enum class Line {
  kNone,       // a plain ClientContext
  kFromServer, // ClientContext::FromServerContext
  kScope,      // eown::grpcpp::Scope around the start
  kAttach      // eown::grpcpp::Attach
};

// What a server does with each inbound call: it calls its callee, if it has
// one, and ends as that did, or else with `own`.
struct Plan {
  grpc::Status own = grpc::Status::OK;
  std::shared_ptr<grpc::Channel> callee;
  Line line = Line::kNone;
  int calls = 1; // of the callee, one after the other until one succeeds
  // The calls are those of eown::grpcpp::Retry instead.
  std::optional<eown::RetryOptions> loop;
  // Runs at the beginning of each call and may be empty.
  std::function<void(grpc::ServerContextBase *)> touch;
  std::atomic<int> served{0};
};

// The same by gRPC's calls that block.
grpc::Status Relay(Plan *plan, grpc::ServerContextBase *server);

// The same by gRPC's callbacks: `done` runs when the answer is there.
void RelayThen(Plan *plan, grpc::CallbackServerContext *server,
               std::function<void(grpc::Status)> done);

#endif // EOWN_TESTS_GRPCPP_PLAN_H
