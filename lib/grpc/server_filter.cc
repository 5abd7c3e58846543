// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The server filter: once per inbound call.
#include "compat_stack.h"
#include "process.h"
#include "server_call.h"
#include "server_memory.h"
#include "settings_args.h"

namespace eown {
namespace {

struct ServerData {
  ServerData(const ServerChannel *channel, const grpc_call_element_args &args)
      : call(channel, args) {}
  ServerCall call;
  grpc_closure on_initial;
  grpc_closure *next_initial = nullptr;
  grpc_metadata_batch *initial = nullptr;
};

void OnInitial(void *arg, grpc_error_handle error) {
  auto *data = static_cast<ServerData *>(arg);
  {
    Turn turn(&data->call);
    if (error.ok())
      data->call.Received(data->initial);
  }
  RunNext(data->next_initial, &error);
}

void Intercept(ServerData *data, grpc_transport_stream_op_batch *batch) {
  auto &op = batch->payload->recv_initial_metadata;
  data->initial = op.recv_initial_metadata;
  data->next_initial = op.recv_initial_metadata_ready;
  GRPC_CLOSURE_INIT(&data->on_initial, OnInitial, data, nullptr);
  op.recv_initial_metadata_ready = &data->on_initial;
}

// Out of line, so that the batches that do not concern us pay for nothing.
ABSL_ATTRIBUTE_NOINLINE void Watch(ServerData *data,
                                   grpc_transport_stream_op_batch *batch) {
  if (batch->recv_initial_metadata)
    Intercept(data, batch);
  if (batch->send_trailing_metadata)
    data->call.Finish(
        batch->payload->send_trailing_metadata.send_trailing_metadata);
  else if (batch->send_initial_metadata)
    data->call.SentEarly();
}

void StartBatch(grpc_call_element *elem,
                grpc_transport_stream_op_batch *batch) {
  auto *data = static_cast<ServerData *>(elem->call_data);
  bool concerns = batch->recv_initial_metadata ||
                  batch->send_initial_metadata || batch->send_trailing_metadata;
  if (concerns) {
    Turn turn(&data->call);
    if (data->call.active())
      Watch(data, batch);
  }
  NextOp(elem, batch);
}

grpc_error_handle InitCall(grpc_call_element *elem,
                           const grpc_call_element_args *args) {
  auto *channel = static_cast<ServerChannel *>(elem->channel_data);
  TakeOver(channel);
  auto *data = new (elem->call_data) ServerData(channel, *args);
  Turn turn(&data->call);
  return absl::OkStatus();
}

void DestroyCall(grpc_call_element *elem, const grpc_call_final_info *,
                 grpc_closure *) {
  auto *data = static_cast<ServerData *>(elem->call_data);
  { Turn turn(&data->call); }
  data->~ServerData();
  HandOver(elem->channel_data);
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
