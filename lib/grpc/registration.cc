// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include <new>

#include "client_call.h"
#include "compat_stack.h"
#include "environment.h"
#include "eown/grpc.h"
#include "registration.h"
#include "server_call.h"

namespace eown {
namespace {

bool everywhere = false; // EOWN_MODE is set: filters on all channels
bool registered = false;

// A filter is there where the channel asks for eown, whatever the mode: a
// process-wide switch can then turn it on later. The subchannel pool is keyed
// by channel arguments, so channels with and without never share a subchannel.
bool Wanted(const grpc_core::ChannelArgs &args) {
  return everywhere || args.Contains("eown.mode");
}

void Build(ConfigBuilder *builder) {
  const FilterAdder adder{builder, Wanted};
  adder.Add(GRPC_CLIENT_SUBCHANNEL, attempt_filter);
  adder.Add(GRPC_CLIENT_CHANNEL, call_filter);
  // Direct channels have one stack: the attempt filter below the call filter.
  adder.AddBelow(GRPC_CLIENT_DIRECT_CHANNEL, attempt_filter, call_filter);
  adder.Add(GRPC_CLIENT_DIRECT_CHANNEL, call_filter);
  adder.Add(GRPC_SERVER_CHANNEL, server_filter);
}

eown_error Init() {
  if (registered)
    return EOWN_ERROR_OK;
  gpr_log_verbosity_init(); // before grpc_init nothing is logged otherwise
  if (strcmp(grpc_version_string(), EOWN_GRPC_CORE_VERSION) != 0) {
    EOWN_LOG_ERROR(
        "eown: built for gRPC core %s, but %s is loaded: staying out",
        EOWN_GRPC_CORE_VERSION, grpc_version_string());
    return EOWN_ERROR_VERSION;
  }
  if (!HasSlot()) {
    EOWN_LOG_ERROR("eown: gRPC's library does not share its symbols: expected "
                   "one that is built without hidden visibility");
    return EOWN_ERROR_VERSION;
  }
  if (TooLate())
    return EOWN_ERROR_TOO_LATE;
  if (!eown_context_pool_init())
    return EOWN_ERROR_NO_MEMORY;
  ReadTrace();
  everywhere = ReadEnvironment();
  AddBuilder(Build);
  registered = true;
  return EOWN_ERROR_OK;
}

} // namespace

bool IsRegistered() { return registered; }

} // namespace eown

eown_error eown_grpc_init(void) {
  try {
    return eown::Init();
  } catch (const std::bad_alloc &) {
    return EOWN_ERROR_NO_MEMORY;
  }
}

const char *eown_grpc_version(void) { return EOWN_GRPC_CORE_VERSION; }
