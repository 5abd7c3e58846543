// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "policies.h"

#include <grpc/grpc.h>
#include <grpcpp/channel.h>
#include <string.h>

#include <new>

#include "eown/counters.h"
#include "options.h"

namespace eown::grpcpp {
namespace {

// What the channel uses now. Only a gRPC channel itself says; one that an
// interceptor of the application's makes calls on does not, and none does
// before its first resolution.
std::string InUse(grpc::ChannelInterface *channel) {
  auto *real = dynamic_cast<grpc::Channel *>(channel);
  return real == nullptr ? "" : real->GetServiceConfigJSON();
}

} // namespace

Policies::Policies(const grpc::ChannelArguments &arguments) {
  ForEachArgument(arguments, [this](const grpc_arg &arg) {
    bool number = arg.type == GRPC_ARG_INTEGER;
    if (number && strcmp(arg.key, GRPC_ARG_ENABLE_RETRIES) == 0)
      enabled_ &= arg.value.integer != 0;
    if (number && strcmp(arg.key, GRPC_ARG_MINIMAL_STACK) == 0)
      enabled_ &= arg.value.integer == 0;
    if (arg.type == GRPC_ARG_STRING &&
        strcmp(arg.key, GRPC_ARG_SERVICE_CONFIG) == 0)
      given_ = arg.value.string;
  });
}

eown_policy Policies::For(grpc::ChannelInterface *channel, const char *path,
                          eown_status status, uint32_t *attempts) {
  if (!enabled_)
    return EOWN_POLICY_NONE;
  try {
    std::string json = InUse(channel);
    if (json.empty())
      json = given_;
    return json.empty() ? EOWN_POLICY_NONE
                        : Read(json)->For(path, status, attempts);
  } catch (const std::bad_alloc &) {
    eown_count(EOWN_COUNTER_no_memory);
    return EOWN_POLICY_NONE;
  }
}

std::shared_ptr<const ServiceConfig> Policies::Read(const std::string &json) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (config_ == nullptr || json != json_) {
    config_ = std::make_shared<const ServiceConfig>(json);
    json_ = json;
  }
  return config_;
}

} // namespace eown::grpcpp
