// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The server filter: once per inbound call.
#include "compat_stack.h"
#include "hook.h"
#include "process.h"
#include "server_call.h"
#include "server_memory.h"
#include "settings_args.h"

namespace eown {
namespace {

struct ServerData {
  explicit ServerData(const ServerChannel *channel) : call(channel) {}
  ServerCall call;
  Hook initial;
};

ABSL_ATTRIBUTE_NOINLINE void Receive(ServerData *data,
                                     grpc_error_handle *error) {
  if (error->ok()) {
    Turn turn(&data->call);
    data->call.Received(data->initial.metadata());
  }
  data->initial.Pass(error);
}

void OnInitial(void *arg, grpc_error_handle error) {
  auto *data = static_cast<ServerData *>(arg);
  bool all = false;
  if (error.ok()) {
    Turn turn(&data->call);
    all = data->call.ReceivedFirst(*data->initial.metadata());
  }
  if (!all)
    return Receive(data, &error);
  data->initial.Pass(&error);
}

ABSL_ATTRIBUTE_NOINLINE void Finish(grpc_call_element *elem,
                                    grpc_transport_stream_op_batch *batch) {
  auto *data = static_cast<ServerData *>(elem->call_data);
  if (data->call.active()) {
    Turn turn(&data->call);
    data->call.Finish(
        batch->payload->send_trailing_metadata.send_trailing_metadata);
  }
  NextOp(elem, batch);
}

// Says whether that is all: where it is not, Finish comes next.
inline bool Watch(ServerData *data, grpc_transport_stream_op_batch *batch) {
  Turn turn(&data->call);
  if (batch->send_trailing_metadata)
    return data->call.FinishWell(
        *batch->payload->send_trailing_metadata.send_trailing_metadata);
  if (batch->send_initial_metadata) {
    data->call.SentEarly();
  } else if (batch->recv_initial_metadata && data->call.active()) {
    // Alone in its batch: nothing is sent before it came.
    auto &op = batch->payload->recv_initial_metadata;
    data->initial.Set(op.recv_initial_metadata, &op.recv_initial_metadata_ready,
                      OnInitial, data);
  }
  return true;
}

// What is seldom is a function that nothing follows: the rest needs no stack.
void StartBatch(grpc_call_element *elem,
                grpc_transport_stream_op_batch *batch) {
  if (!Watch(static_cast<ServerData *>(elem->call_data), batch))
    return Finish(elem, batch);
  NextOp(elem, batch);
}

ABSL_ATTRIBUTE_NOINLINE grpc_error_handle BeginRarely(ServerData *data,
                                                      CallContext *place) {
  data->call.BeginRarely(place);
  return absl::OkStatus();
}

grpc_error_handle InitCall(grpc_call_element *elem,
                           const grpc_call_element_args *args) {
  auto *channel = static_cast<ServerChannel *>(elem->channel_data);
  TakeOver(channel);
  auto *data = new (elem->call_data) ServerData(channel);
  Turn turn(&data->call);
  if (data->call.active() && !data->call.Begin(ContextOf(*args)))
    return BeginRarely(data, ContextOf(*args));
  return absl::OkStatus();
}

void DestroyCall(grpc_call_element *elem, const grpc_call_final_info *,
                 grpc_closure *) {
  auto *data = static_cast<ServerData *>(elem->call_data);
  { Turn turn(&data->call); }
  HandOver(elem->channel_data);
  eown_context *context = data->call.context();
  data->~ServerData();
  if (context != nullptr && eown__hot_unref(context) &&
      !eown__hot_keep(context))
    eown__hot_end(context);
}

grpc_error_handle InitChannel(grpc_channel_element *elem,
                              grpc_channel_element_args *args) {
  auto *channel = new (elem->channel_data) ServerChannel();
  ReadSettings(Arguments(*args).get(), &channel->settings);
  channel->table = ServerMemory(channel->settings);
  if (channel->table != nullptr)
    channel->memory = eown_memory_table_view(channel->table);
  HandOver(channel);
  SetProcessHasServer();
  return absl::OkStatus();
}

void DestroyChannel(grpc_channel_element *elem) {
  auto *channel = static_cast<ServerChannel *>(elem->channel_data);
  TakeOver(channel);
  eown_settings_clear(&channel->settings);
  channel->~ServerChannel();
}

} // namespace

const grpc_channel_filter server_filter = {
    StartBatch,
    EOWN_NO_PROMISES grpc_channel_next_op,
    sizeof(ServerData),
    InitCall,
    grpc_call_stack_ignore_set_pollset_or_pollset_set,
    DestroyCall,
    sizeof(ServerChannel),
    InitChannel,
    grpc_channel_stack_no_post_init,
    DestroyChannel,
    grpc_channel_next_get_info,
    EOWN_FILTER_NAME("eown-server")};

} // namespace eown
