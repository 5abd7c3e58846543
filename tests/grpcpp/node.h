// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_NODE_H
#define EOWN_TESTS_GRPCPP_NODE_H

#include <map>
#include <memory>
#include <string>

#include "eown/grpcpp.hpp"
#include "plan.h"
#include "queue.h"
#include "services.h"

enum class Form { kSync, kCallback, kAsync, kGenericAsync, kGenericCallback };

// Settings by key, and a retry policy of so many attempts (1: none) for all
// methods. It covers UNAVAILABLE and INTERNAL.
using Keys = std::map<std::string, std::string>;
grpc::ChannelArguments Arguments(const Keys &keys, int attempts = 1);

// A server on the loopback interface with eown's interceptor, and those of
// `own`. An empty `keys` means: without eown.
class Node {
public:
  Node(Form form, const Keys &keys, eown::grpcpp::ServerCreators own = {});
  ~Node();

  Plan plan;
  // A channel to it with eown's interceptor, or (stock) without.
  std::shared_ptr<grpc::Channel>
  Channel(const Keys &keys, int attempts = 1,
          eown::grpcpp::ClientCreators own = {}) const;
  std::shared_ptr<grpc::Channel> Stock(int attempts = 1) const;
  std::string target() const { return "127.0.0.1:" + std::to_string(port_); }

private:
  void Register(Form form, grpc::ServerBuilder *builder);

  SyncService sync_{&plan};
  CallbackService callback_{&plan};
  GenericCallbackService generic_callback_{&plan};
  eown::test::Probe::AsyncService async_;
  grpc::AsyncGenericService generic_;
  std::unique_ptr<Queue> queue_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

#endif // EOWN_TESTS_GRPCPP_NODE_H
