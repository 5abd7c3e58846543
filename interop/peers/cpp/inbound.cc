// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "inbound.h"

namespace peer {
namespace {

constexpr char kCalleeKey[] = "eown-node-callee";

} // namespace

Inbound::Inbound(Node *node, grpc::ServerContextBase *context)
    : node_(node), context_(context), fails_(node->CountServed()) {
  const auto &metadata = context->client_metadata();
  auto found = metadata.find(kCalleeKey);
  if (found != metadata.end())
    CallOnly({found->second.data(), found->second.size()});
}

void Inbound::CallOnly(const std::string &name) {
  only_ = name;
  for (const auto &callee : node_->callees())
    if (callee->name() == name)
      return;
  fails_ = false; // a refusal is no failure of its own
  failed_ = grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                         std::string(kCalleeKey) + ": '" + name +
                             "': expected the name of a callee of " +
                             node_->options().name);
}

bool Inbound::IsWanted(const Callee &callee) const {
  return only_.empty() || callee.name() == only_;
}

Callee *Inbound::NextCallee() {
  const auto &callees = node_->callees();
  if (again_)
    return outbound_.callee;
  if (!failed_.ok() && !fails_)
    return nullptr;
  while (next_ < callees.size() && !IsWanted(*callees[next_]))
    next_++;
  if (next_ == callees.size())
    return nullptr;
  loop_ = node_->MakeLoop(context_);
  return callees[next_++].get();
}

Outbound *Inbound::Next() {
  Callee *const callee = NextCallee();
  if (callee == nullptr)
    return nullptr;
  outbound_ = Outbound();
  outbound_.callee = callee;
  outbound_.context = node_->MakeContext(*context_);
  if (loop_ != nullptr)
    loop_->Prepare(outbound_.context.get());
  outbound_.callee->CountCall();
  node_->CountMade();
  return &outbound_;
}

void Inbound::RunTied(bool by_itself, const std::function<void()> &start) {
  node_->RunTied(context_, by_itself, start);
}

std::chrono::milliseconds Inbound::Ended() {
  const grpc::Status &status = outbound_.status;
  outbound_.callee->CountEnd(status, *outbound_.context);
  Loop::Wait wait;
  if (loop_ != nullptr)
    wait = loop_->After(status, outbound_.context.get());
  again_ = wait.has_value();
  if (again_)
    return *wait;
  if (status.ok())
    nodes_below_ += 1 + outbound_.reply.nodes_below();
  else if (!outbound_.callee->fail_open() && failed_.ok())
    failed_ = grpc::Status(status.error_code(), status.error_message());
  return std::chrono::milliseconds(0);
}

grpc::Status Inbound::Answer(CallReply *reply) {
  const Options &options = node_->options();
  grpc::Status status = failed_;
  if (fails_)
    status =
        grpc::Status(options.fail_status, options.name + " fails by itself");
  node_->CountAnswer(status, fails_);
  reply->set_node(options.name);
  reply->set_nodes_below(nodes_below_);
  return status;
}

} // namespace peer
