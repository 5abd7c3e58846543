// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "callee.h"

#include <algorithm>

#include "binding.h"
#include "status.h"

namespace peer {
namespace {

constexpr char kClaimKey[] = "error-claim";

std::string RetryPolicy(const Options &options) {
  nlohmann::json codes = nlohmann::json::array();
  for (grpc::StatusCode code : options.retry_codes)
    codes.push_back(NameOf(code));
  // gRPC 1.83 never retries where the time to wait comes out as 0 ms.
  nlohmann::json policy = {{"maxAttempts", options.attempts},
                           {"initialBackoff", "0.005s"},
                           {"maxBackoff", "0.005s"},
                           {"backoffMultiplier", 1},
                           {"retryableStatusCodes", codes}};
  nlohmann::json every = nlohmann::json::array({nlohmann::json::object()});
  nlohmann::json method = {{"name", every}, {"retryPolicy", policy}};
  nlohmann::json config;
  config["methodConfig"].push_back(method);
  return config.dump();
}

grpc::ChannelArguments ArgumentsOf(const Options &options) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  // In spite of its name the time a connection may take to come about: too
  // little fails calls on a busy machine.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 200);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (options.has_policy())
    arguments.SetServiceConfigJSON(RetryPolicy(options));
  return arguments;
}

} // namespace

Callee::Callee(const CalleeOption &option, const Options &options,
               Binding *binding)
    : option_(option), path_("/" + option.name + "/Call"),
      retried_(options.has_policy() ? options.retry_codes
                                    : std::vector<grpc::StatusCode>()),
      channel_(binding->Connect(option, options, ArgumentsOf(options))) {}

Callee::Counter &Callee::CounterOf(const grpc::ClientContext &context) {
  auto [first, end] =
      context.GetServerTrailingMetadata().equal_range(kClaimKey);
  if (first == end)
    return missing_;
  if (std::next(first) != end)
    return other_;
  return first->second == "claimed"     ? claimed_
         : first->second == "unclaimed" ? unclaimed_
                                        : other_;
}

bool Callee::Retries(grpc::StatusCode status) const {
  return std::find(retried_.begin(), retried_.end(), status) != retried_.end();
}

void Callee::CountEnd(const grpc::Status &status,
                      const grpc::ClientContext &context) {
  if (status.ok())
    return;
  errors_++;
  Counter &counter = CounterOf(context);
  counter++;
  if (&counter == &unclaimed_ && Retries(status.error_code()))
    passed_on_++;
}

nlohmann::ordered_json Callee::Counts() const {
  return {{"name", name()},
          {"calls", calls_.load()},
          {"errors", errors_.load()},
          {"claimed", claimed_.load()},
          {"unclaimed", unclaimed_.load()},
          {"missing", missing_.load()},
          {"other", other_.load()}};
}

void Callee::ResetCounts() {
  for (Counter *counter : {&calls_, &errors_, &claimed_, &unclaimed_, &missing_,
                           &other_, &passed_on_})
    *counter = 0;
}

} // namespace peer
