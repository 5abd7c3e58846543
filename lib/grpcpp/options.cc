// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <grpc/grpc.h>
#include <stdio.h>
#include <string.h>

#include <mutex>

#include "defaults.h"
#include "environment.h"
#include "eown/context.h"
#include "eown/counters.h"
#include "log.h"

namespace eown::grpcpp {
namespace {

eown_error ReadOne(const grpc_arg &arg, eown_settings *settings, char *message,
                   size_t size) {
  if (arg.type == GRPC_ARG_STRING)
    return eown_settings_set(settings, arg.key, arg.value.string, message,
                             size);
  if (arg.type == GRPC_ARG_INTEGER)
    return eown_settings_set_int(settings, arg.key, arg.value.integer, message,
                                 size);
  snprintf(message, size, "%s: a pointer: expected a string or an integer",
           arg.key);
  return EOWN_ERROR_INVALID_ARGUMENT;
}

} // namespace

Options::Options(const grpc::ChannelArguments &arguments) {
  eown_settings_init(&settings_, nullptr);
  ApplyDefaults(&settings_);
  ForEachArgument(arguments, [this](const grpc_arg &arg) {
    if (strncmp(arg.key, "eown.", 5) == 0)
      Read(arg);
  });
}

void Options::Read(const grpc_arg &arg) {
  char message[512] = "";
  if (ReadOne(arg, &settings_, message, sizeof(message)) != EOWN_ERROR_OK)
    problems_.emplace_back(message);
}

void Options::Report() const {
  for (const std::string &problem : problems_) {
    eown_count(EOWN_COUNTER_bad_settings);
    LogError((problem + "; the default stays in force").c_str());
  }
}

void Prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    eown_context_pool_init();
    ReadEnvironment();
  });
}

} // namespace eown::grpcpp
