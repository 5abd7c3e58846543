// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_LOOP_H
#define PEER_CPP_LOOP_H

#include <chrono>
#include <memory>
#include <optional>

#include <grpcpp/grpcpp.h>

#include "options.h"

namespace peer {

// The node's own retry loop (--retry-by application or both), around the calls
// to one callee for one inbound call.
class Loop {
public:
  using Wait = std::optional<std::chrono::milliseconds>;

  virtual ~Loop() = default;
  // The next call is about to be made with `client`.
  virtual void Prepare(grpc::ClientContext *client) = 0;
  // It has ended: how long to wait before the next one, or nothing.
  virtual Wait After(const grpc::Status &status,
                     grpc::ClientContext *client) = 0;
};

// A loop as people write them: it looks at the status and the number of calls
// alone.
std::unique_ptr<Loop> MakeLoopByHand(const Options &options);

// One of eown's, eown::Retry or eown::grpcpp::Retry.
template <typename Retry, typename RetryOptions>
class OwnedLoop : public Loop {
public:
  template <typename Inbound>
  OwnedLoop(Inbound *inbound, const RetryOptions &options)
      : retry_(inbound, options) {}
  void Prepare(grpc::ClientContext *client) override { retry_.Prepare(client); }
  Wait After(const grpc::Status &status, grpc::ClientContext *client) override {
    return retry_.After(status, client);
  }

private:
  Retry retry_;
};

} // namespace peer

#endif // PEER_CPP_LOOP_H
