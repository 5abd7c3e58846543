// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_OPTIONS_H
#define EOWN_GRPCPP_OPTIONS_H

#include <grpcpp/support/channel_arguments.h>

#include <string>
#include <vector>

#include "eown/settings.h"

namespace eown::grpcpp {

// The settings among a channel's or server's arguments. It owns them.
class Options {
public:
  explicit Options(const grpc::ChannelArguments &arguments);
  ~Options() { eown_settings_clear(&settings_); }
  Options(const Options &) = delete;
  Options &operator=(const Options &) = delete;

  const eown_settings *operator->() const { return &settings_; }
  const eown_settings &operator*() const { return settings_; }
  eown_mode mode() const { return eown_mode_effective(settings_.mode); }

  // Sentences on those that are not in force.
  const std::vector<std::string> &problems() const { return problems_; }
  // Logs and counts them.
  void Report() const;

private:
  void Read(const grpc_arg &arg);

  eown_settings settings_;
  std::vector<std::string> problems_;
};

template <typename Visit>
void ForEachArgument(const grpc::ChannelArguments &arguments, Visit visit) {
  grpc_channel_args all = arguments.c_channel_args();
  for (size_t i = 0; all.args != nullptr && i < all.num_args; i++)
    visit(all.args[i]);
}

// Makes the process ready, once: the pool of contexts, and EOWN_MODE.
void Prepare();

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_OPTIONS_H
