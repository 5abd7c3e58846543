// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "settings_args.h"

#include <string.h>

#include "defaults.h"
#include "eown/counters.h"

namespace eown {
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

void ReadSettings(const grpc_channel_args *args, eown_settings *settings) {
  eown_settings_init(settings, nullptr);
  ApplyDefaults(settings);
  for (size_t i = 0; args != nullptr && i < args->num_args; i++) {
    if (strncmp(args->args[i].key, "eown.", 5) != 0)
      continue;
    char message[512] = "";
    if (ReadOne(args->args[i], settings, message, sizeof(message)) ==
        EOWN_ERROR_OK)
      continue;
    eown_count(EOWN_COUNTER_bad_settings);
    EOWN_LOG_ERROR("eown: %s; the default stays in force", message);
  }
}

} // namespace eown
