// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_POLICIES_H
#define EOWN_GRPCPP_POLICIES_H

#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <mutex>
#include <string>

#include "service_config.h"

namespace grpc {
class ChannelInterface;
}

namespace eown::grpcpp {

// The retry policies in force on a channel: those of the service config that
// the resolver sent, or of the one in the channel's arguments. For errors only:
// it takes a lock and copies the text of the config.
class Policies {
public:
  explicit Policies(const grpc::ChannelArguments &arguments);

  // As ServiceConfig::For.
  eown_policy For(grpc::ChannelInterface *channel, const char *path,
                  eown_status status, uint32_t *attempts);

private:
  std::shared_ptr<const ServiceConfig> Read(const std::string &json);

  bool enabled_ = true; // the channel retries at all
  std::string given_;   // in the arguments; "": none
  std::mutex mutex_;    // guards what follows
  std::string json_;    // that `config_` was read from
  std::shared_ptr<const ServiceConfig> config_;
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_POLICIES_H
