// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "node.h"

namespace peer {

Node::Node(const Options &options, Binding *binding)
    : options_(options), binding_(binding), path_("/" + options.name + "/Call"),
      dice_(options) {
  for (const CalleeOption &callee : options.callees)
    callees_.push_back(std::make_unique<Callee>(callee, options, binding));
}

void Node::CountAnswer(const grpc::Status &status, bool own_failure) {
  if (!status.ok())
    errors_++;
  if (own_failure)
    own_failures_++;
}

std::unique_ptr<grpc::ClientContext>
Node::MakeContext(const grpc::ServerContextBase &inbound) const {
  if (options_.way == Way::kParent)
    return grpc::ClientContext::FromServerContext(inbound);
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(inbound.deadline());
  return context;
}

std::unique_ptr<Loop> Node::MakeLoop(grpc::ServerContextBase *inbound) {
  std::unique_ptr<Loop> loop;
  if (!options_.has_loop())
    return loop;
  RunTied(inbound, true, [&] {
    loop = binding_->MakeLoop(options_.way == Way::kNone ? nullptr : inbound,
                              options_);
  });
  return loop;
}

void Node::RunTied(grpc::ServerContextBase *inbound, bool by_itself,
                   const std::function<void()> &start) {
  if (options_.way == Way::kNone)
    binding_->RunTied(nullptr, start);
  else if (options_.way == Way::kThread && !by_itself)
    binding_->RunTied(inbound, start);
  else
    start();
}

std::string Node::Counts(const std::string &event) const {
  nlohmann::ordered_json object = {{"event", event},
                                   {"name", options_.name},
                                   {"served", served_.load()},
                                   {"errors", errors_.load()},
                                   {"own_failures", own_failures_.load()},
                                   {"made", made_.load()}};
  uint64_t passed_on = 0;
  for (const auto &callee : callees_)
    passed_on += callee->passed_on();
  binding_->AddCounts(passed_on, &object);
  object["callees"] = nlohmann::ordered_json::array();
  for (const auto &callee : callees_)
    object["callees"].push_back(callee->Counts());
  return object.dump();
}

void Node::ResetCounts() {
  for (auto *counter : {&served_, &errors_, &own_failures_, &made_})
    *counter = 0;
  binding_->ResetCounts();
  for (const auto &callee : callees_)
    callee->ResetCounts();
}

} // namespace peer
