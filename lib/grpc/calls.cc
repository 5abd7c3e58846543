// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The public functions that take a call.
#include "client_call.h"
#include "eown/grpc.h"
#include "process.h"
#include "registration.h"

namespace eown {
namespace {

void *Find(grpc_call *call) {
  return kSlotNeedsInit && !IsRegistered() ? nullptr : FindIn(call);
}

// Null where the channel has no filters, or the mode is off.
ClientCall *FindClient(grpc_call *call) {
  void *value = call == nullptr ? nullptr : Find(call);
  return eown_context_is_context(value) ? nullptr
                                        : ClientCall::FromPointer(value);
}

} // namespace
} // namespace eown

eown_context *eown_context_from_call(struct grpc_call *call) {
  if (call == nullptr)
    return nullptr;
  void *value = eown::Find(call);
  if (!eown_context_is_context(value))
    return nullptr;
  eown::TakeOver(value);
  return static_cast<eown_context *>(value);
}

eown_error eown_context_attach(eown_context *context, struct grpc_call *call) {
  eown::ClientCall *client = eown::FindClient(call);
  if (client == nullptr)
    return EOWN_ERROR_NOT_TIED;
  client->Attach(context);
  return EOWN_ERROR_OK;
}

bool eown_grpc_retry_begin(eown_retry_loop *loop, struct grpc_call *call) {
  // The time is for a budget of the loop's own.
  const bool timed = loop->options.budget != nullptr;
  bool mark = eown_retry_begin(loop, timed ? eown::Now() : 0);
  eown::ClientCall *client = eown::FindClient(call);
  loop->watched = client != nullptr;
  if (client == nullptr)
    return mark;
  eown::Turn turn(client);
  client->BeginLoop(loop->context, mark);
  return false;
}

void eown_grpc_retry_read(struct grpc_call *call, eown_retry_end *end) {
  eown::ClientCall *client = eown::FindClient(call);
  if (client == nullptr)
    return;
  eown::Turn turn(client);
  end->seen = true;
  if (end->status != EOWN_STATUS_OK)
    client->Describe(end);
}

eown_retry_answer eown_grpc_retry_again(eown_retry_loop *loop,
                                        struct grpc_call *call,
                                        eown_retry_end *end, uint32_t random) {
  // Where it ended well there is nothing more to know of it.
  end->seen = loop->watched;
  if (ABSL_PREDICT_TRUE(end->status == EOWN_STATUS_OK))
    return eown_retry_again(loop, end, 0, random);
  eown_grpc_retry_read(call, end);
  return eown_retry_again(loop, end, eown::Now(), random);
}
