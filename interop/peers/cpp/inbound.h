// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_INBOUND_H
#define PEER_CPP_INBOUND_H

#include <chrono>
#include <memory>

#include "eown/interop/v1/node.pb.h"
#include "node.h"

namespace peer {

using eown::interop::v1::CallReply;
using eown::interop::v1::CallRequest;

// An outbound call: what it needs while it runs, and how it ended.
struct Outbound {
  Callee *callee = nullptr;
  std::unique_ptr<grpc::ClientContext> context;
  CallReply reply;
  grpc::Status status;
};

// One inbound call of Call: which callees it calls and what it answers,
// whatever the form that serves it.
class Inbound {
public:
  // `context` must live as long as this, and has the request's metadata.
  Inbound(Node *node, grpc::ServerContextBase *context);

  // Makes the next outbound call ready, to the next callee or once more to the
  // same; null: no more is to be called. The one before must have ended.
  Outbound *Next();

  // Runs `start`, which starts the outbound that is ready (see Node::RunTied).
  void RunTied(bool by_itself, const std::function<void()> &start);

  // The outbound has ended; its reply and status are there. Returns how long to
  // wait before Next.
  std::chrono::milliseconds Ended();

  // The answer; `*reply` is filled where it is OK.
  grpc::Status Answer(CallReply *reply);

private:
  bool IsWanted(const Callee &callee) const;
  void CallOnly(const std::string &name); // or refuses the call
  Callee *NextCallee();

  Node *const node_;
  grpc::ServerContextBase *const context_;
  bool fails_;       // by itself
  std::string only_; // call this callee alone; "": all
  size_t next_ = 0;
  Outbound outbound_;
  std::unique_ptr<Loop> loop_; // around the calls to its callee; may be null
  bool again_ = false;         // the same callee is to be called again
  grpc::Status failed_;        // of the first callee that counts, or a refusal
  uint32_t nodes_below_ = 0;
};

} // namespace peer

#endif // PEER_CPP_INBOUND_H
