// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include <new>

#include "client_call.h"
#include "compat.h"
#include "eown/grpc.h"
#include "server_call.h"

namespace eown {

grpc_core::TraceFlag trace(false, "eown");

// RegisterBuilder aborts once a configuration exists, and gRPC has no question
// to ask before; so we look where it looks.
struct ConfigTag {
  using type = std::atomic<grpc_core::CoreConfiguration *> *;
  friend type Reach(ConfigTag);
};
template struct Access<ConfigTag, &grpc_core::CoreConfiguration::config_>;

namespace {

bool everywhere = false; // EOWN_MODE is set: filters on all channels
bool registered = false;

bool TooLate() {
  return Reach(ConfigTag())->load(std::memory_order_acquire) != nullptr;
}

// A filter is there where the channel asks for eown, whatever the mode: a
// process-wide switch can then turn it on later. The subchannel pool is keyed
// by channel arguments, so channels with and without never share a subchannel.
void Register(grpc_core::CoreConfiguration::Builder *builder,
              grpc_channel_stack_type type, const grpc_channel_filter *filter) {
  // Just above gRPC's built-in filters: the attempt filter must see the status
  // that the HTTP filter mapped.
  constexpr int kPriority = GRPC_CHANNEL_INIT_BUILTIN_PRIORITY + 1;
  builder->channel_init()->RegisterStage(
      type, kPriority, [filter](grpc_core::ChannelStackBuilder *stack) {
        if (everywhere || stack->channel_args().Contains("eown.mode"))
          stack->PrependFilter(filter);
        return true;
      });
}

void Build(grpc_core::CoreConfiguration::Builder *builder) {
  Register(builder, GRPC_CLIENT_SUBCHANNEL, &attempt_filter);
  Register(builder, GRPC_CLIENT_CHANNEL, &call_filter);
  // Direct channels have one stack: the attempt filter below the call filter.
  Register(builder, GRPC_CLIENT_DIRECT_CHANNEL, &attempt_filter);
  Register(builder, GRPC_CLIENT_DIRECT_CHANNEL, &call_filter);
  Register(builder, GRPC_SERVER_CHANNEL, &server_filter);
}

void ReadEnvironment() {
  const char *text = getenv("EOWN_MODE");
  if (text == nullptr || text[0] == '\0')
    return;
  eown_mode mode;
  if (!eown_mode_parse(text, &mode)) {
    eown_count(EOWN_COUNTER_bad_settings);
    gpr_log(GPR_ERROR,
            "eown: environment variable EOWN_MODE: \"%s\" is not valid: "
            "expected off, observe, enforce (or 0, 1, 2); it is ignored",
            text);
    return;
  }
  everywhere = true;
  eown_mode_override(mode);
}

eown_error Init() {
  if (registered)
    return EOWN_ERROR_OK;
  gpr_log_verbosity_init(); // before grpc_init nothing is logged otherwise
  if (strcmp(grpc_version_string(), EOWN_GRPC_CORE_VERSION) != 0) {
    gpr_log(GPR_ERROR,
            "eown: built for gRPC core %s, but %s is loaded: staying out",
            EOWN_GRPC_CORE_VERSION, grpc_version_string());
    return EOWN_ERROR_VERSION;
  }
  if (TooLate())
    return EOWN_ERROR_TOO_LATE;
  if (!eown_context_pool_init())
    return EOWN_ERROR_NO_MEMORY;
  ReadEnvironment();
  grpc_core::CoreConfiguration::RegisterBuilder(Build);
  registered = true;
  return EOWN_ERROR_OK;
}

} // namespace
} // namespace eown

eown_error eown_grpc_init(void) {
  try {
    return eown::Init();
  } catch (const std::bad_alloc &) {
    return EOWN_ERROR_NO_MEMORY;
  }
}

const char *eown_grpc_version(void) { return EOWN_GRPC_CORE_VERSION; }

eown_context *eown_context_from_call(struct grpc_call *call) {
  if (call == nullptr)
    return nullptr;
  void *value = grpc_call_context_get(call, GRPC_CONTEXT_TRAFFIC);
  if (!eown_context_is_context(value))
    return nullptr;
  eown::TakeOver(value);
  return static_cast<eown_context *>(value);
}

eown_error eown_context_attach(eown_context *context, struct grpc_call *call) {
  void *value = grpc_call_context_get(call, GRPC_CONTEXT_TRAFFIC);
  eown::ClientCall *client = eown_context_is_context(value)
                                 ? nullptr
                                 : eown::ClientCall::FromPointer(value);
  if (client == nullptr)
    return EOWN_ERROR_NOT_TIED;
  client->Attach(context);
  return EOWN_ERROR_OK;
}
