// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The call filter: once per outbound call, above gRPC's retry filter. It ties
// the call to its inbound and records how it ended.
#include "client_call.h"
#include "compat_stack.h"
#include "hook.h"
#include "metadata.h"
#include "settings_args.h"

namespace eown {
namespace {

struct CallData {
  CallData(ClientChannel *channel, const grpc_call_element_args &args)
      : call(channel, args) {}
  ClientCall call;
  Hook trailing;
};

ABSL_ATTRIBUTE_NOINLINE void End(CallData *data, grpc_error_handle *error) {
  {
    Turn turn(&data->call);
    data->call.End(data->trailing.metadata(), *error);
  }
  data->trailing.Pass(error);
}

void OnTrailing(void *arg, grpc_error_handle error) {
  auto *data = static_cast<CallData *>(arg);
  bool all = false;
  {
    Turn turn(&data->call);
    all = EndedWell(*data->trailing.metadata(), error) && data->call.Succeed();
  }
  if (!all)
    return End(data, &error);
  data->trailing.Pass(&error);
}

ABSL_ATTRIBUTE_NOINLINE void
StartMetadata(grpc_call_element *elem, grpc_transport_stream_op_batch *batch) {
  auto *data = static_cast<CallData *>(elem->call_data);
  {
    Turn turn(&data->call);
    data->call.StartMetadata(
        *batch->payload->send_initial_metadata.send_initial_metadata);
  }
  NextOp(elem, batch);
}

// Says whether that is all: where it is not, StartMetadata comes next.
inline bool Watch(CallData *data, grpc_transport_stream_op_batch *batch) {
  Turn turn(&data->call);
  if (!data->call.active())
    return true;
  if (ABSL_PREDICT_TRUE(batch->recv_trailing_metadata))
    data->trailing.SetTrailing(batch, OnTrailing, data);
  return data->call.Start(*batch);
}

// What is seldom is a function that nothing follows: the rest needs no stack.
void StartBatch(grpc_call_element *elem,
                grpc_transport_stream_op_batch *batch) {
  if (!Watch(static_cast<CallData *>(elem->call_data), batch))
    return StartMetadata(elem, batch);
  NextOp(elem, batch);
}

ABSL_ATTRIBUTE_NOINLINE grpc_error_handle BeginRarely(CallData *data,
                                                      eown_context *context) {
  data->call.BeginRarely(context);
  return absl::OkStatus();
}

inline grpc_error_handle Begin(CallData *data, const ClientChannel &channel,
                               eown_context *context) {
  if (!data->call.Begin(channel, context))
    return BeginRarely(data, context);
  return absl::OkStatus();
}

// Explicit ties come later; here the parent call's, then the thread's.
ABSL_ATTRIBUTE_NOINLINE grpc_error_handle
BeginAsChild(CallData *data, const ClientChannel &channel, void *parent) {
  return Begin(data, channel,
               eown_context_is_context(parent)
                   ? static_cast<eown_context *>(parent)
                   : eown__hot_current());
}

grpc_error_handle InitCall(grpc_call_element *elem,
                           const grpc_call_element_args *args) {
  auto *channel = static_cast<ClientChannel *>(elem->channel_data);
  TakeOver(channel);
  auto *data = new (elem->call_data) CallData(channel, *args);
  Turn turn(&data->call);
  if (!data->call.active())
    return absl::OkStatus();
  CallContext *const place = ContextOf(*args);
  data->call.Enter(place);
  if (void *parent = ParentIn(place))
    return BeginAsChild(data, *channel, parent);
  return Begin(data, *channel, eown__hot_current());
}

void DestroyCall(grpc_call_element *elem, const grpc_call_final_info *,
                 grpc_closure *) {
  auto *data = static_cast<CallData *>(elem->call_data);
  { Turn turn(&data->call); }
  HandOver(elem->channel_data);
  eown_context *context = data->call.context();
  data->~CallData();
  if (context != nullptr && eown__hot_unref(context))
    eown__hot_end(context);
}

eown_budget *AcquireBudget(const ClientChannel &channel) {
  const eown_settings &settings = channel.settings;
  if (settings.retry_budget_percent < 0)
    return nullptr;
  const char *target = channel.server_uri == nullptr ? "" : channel.server_uri;
  eown_budget *budget =
      eown_budget_acquire(target, settings.retry_budget_percent,
                          settings.retry_budget_min_per_second, nullptr);
  if (budget == nullptr)
    eown_count(EOWN_COUNTER_no_memory);
  return budget;
}

grpc_error_handle InitChannel(grpc_channel_element *elem,
                              grpc_channel_element_args *args) {
  auto *channel = new (elem->channel_data) ClientChannel();
  const Arguments arguments(*args);
  const grpc_channel_args *found = arguments.get();
  ReadSettings(found, &channel->settings);
  channel->retries_enabled =
      grpc_channel_args_find_bool(found, GRPC_ARG_ENABLE_RETRIES, true) &&
      !grpc_channel_args_want_minimal_stack(found);
  channel->replay_buffer_size =
      static_cast<size_t>(grpc_channel_args_find_integer(
          found, GRPC_ARG_PER_RPC_RETRY_BUFFER_SIZE,
          {256 << 10, 0, INT_MAX})); // gRPC's own default
  constexpr size_t kMostMetadata = 16 << 10;
  if (channel->replay_buffer_size > kMostMetadata)
    channel->measure_from = channel->replay_buffer_size - kMostMetadata;
  // A copy: the arguments do not outlive this function.
  channel->server_uri =
      gpr_strdup(grpc_channel_args_find_string(found, GRPC_ARG_SERVER_URI));
  channel->budget = AcquireBudget(*channel);
  return absl::OkStatus();
}

// A direct channel, which ends in a transport, has no retry filter.
void PostInit(grpc_channel_stack *stack, grpc_channel_element *elem) {
  auto *channel = static_cast<ClientChannel *>(elem->channel_data);
  grpc_channel_element *last = grpc_channel_stack_last_element(stack);
  if (NameOf(last->filter) == "client-channel")
    channel->client_channel = last;
  else
    channel->retries_enabled = false;
  HandOver(channel);
}

void DestroyChannel(grpc_channel_element *elem) {
  auto *channel = static_cast<ClientChannel *>(elem->channel_data);
  TakeOver(channel);
  eown_budget_release(channel->budget);
  eown_settings_clear(&channel->settings);
  gpr_free(channel->server_uri);
  channel->~ClientChannel();
}

} // namespace

const grpc_channel_filter call_filter = {
    StartBatch,
    EOWN_NO_PROMISES grpc_channel_next_op,
    sizeof(CallData),
    InitCall,
    grpc_call_stack_ignore_set_pollset_or_pollset_set,
    DestroyCall,
    sizeof(ClientChannel),
    InitChannel,
    PostInit,
    DestroyChannel,
    grpc_channel_next_get_info,
    EOWN_FILTER_NAME("eown-call")};

} // namespace eown
