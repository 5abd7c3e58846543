// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "chain.h"

#include <chrono>

#include "eown/claim.h"
#include "eown/interop/v1/node.grpc.pb.h"

namespace e2e {
namespace {

using NodeService = eown::interop::v1::Node;

std::unique_ptr<NodeService::Stub> Connect(const Process &node) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return NodeService::NewStub(
      grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(node.port()),
                                grpc::InsecureChannelCredentials(), arguments));
}

void ReadDetail(const grpc::string_ref &bytes, Answer *answer) {
  eown_claim_detail detail = {};
  eown_claim_detail_decode(reinterpret_cast<const uint8_t *>(bytes.data()),
                           bytes.size(), &detail);
  answer->owner = detail.owner_service;
  answer->hops = detail.hops;
}

void ReadClaim(const grpc::ClientContext &context, Answer *answer) {
  for (const auto &[key, value] : context.GetServerTrailingMetadata()) {
    std::string text(value.data(), value.size());
    if (key == EOWN_CLAIM_KEY)
      answer->claim = answer->claim.empty() ? text : "several";
    if (key == EOWN_CLAIM_DETAIL_KEY)
      ReadDetail(value, answer);
  }
}

std::string NameOf(size_t i) {
  return std::string(1, static_cast<char>('A' + i));
}

} // namespace

Words Peer(const std::string &binding, const std::string &form) {
  std::string program = E2E_PEER_CPP + (binding == "none" ? "plain" : binding);
  return {program, "--form", form};
}

Words EownNode() { return {E2E_NODE}; }

Answer CallNode(const Process &node, const std::optional<std::string> &only) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1)); // a call that hangs fails
  if (only)
    context.AddMetadata("eown-node-callee", *only);
  eown::interop::v1::CallReply reply;
  Answer answer;
  answer.status = Connect(node)->Call(&context, {}, &reply);
  answer.nodes_below = reply.nodes_below();
  ReadClaim(context, &answer);
  return answer;
}

nlohmann::json StatsOf(const Process &node, bool reset) {
  grpc::ClientContext context;
  eown::interop::v1::StatsRequest request;
  eown::interop::v1::StatsReply reply;
  request.set_reset(reset);
  Connect(node)->Stats(&context, request, &reply);
  return nlohmann::json::parse(reply.json(), nullptr, false);
}

Chain::Chain(const std::vector<Words> &words, const std::string &ownership) {
  nodes_.resize(words.size());
  for (size_t i = words.size(); i-- > 0;) {
    Words all = words[i];
    Words more = {"--name", NameOf(i),     "--attempts",
                  "2",      "--ownership", ownership};
    if (i + 1 == words.size())
      more.insert(more.end(), {"--fail-rate", "1"});
    else
      more.insert(more.end(),
                  {"--callee", NameOf(i + 1) + "=127.0.0.1:" +
                                   std::to_string(nodes_[i + 1]->port())});
    all.insert(all.begin() + 1, more.begin(), more.end()); // its own ones win
    nodes_[i] = std::make_unique<Process>(all);
  }
}

Answer Chain::Call() { return CallNode(*nodes_[0]); }

std::vector<nlohmann::json> Chain::Stop() {
  std::vector<nlohmann::json> counts;
  for (const auto &node : nodes_)
    counts.push_back(node->Stop());
  return counts;
}

std::vector<int> CountsOf(const std::vector<nlohmann::json> &nodes,
                          const std::string &pointer) {
  std::vector<int> counts;
  for (const nlohmann::json &node : nodes)
    counts.push_back(node.value(nlohmann::json::json_pointer(pointer), -1));
  return counts;
}

} // namespace e2e
