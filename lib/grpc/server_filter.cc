// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The server filter: once per inbound call.
#include "process.h"
#include "server_call.h"
#include "settings_args.h"

namespace eown {
namespace {

struct ServerData {
  ServerData(const eown_settings *settings, const grpc_call_element_args &args)
      : call(settings, args) {}
  ServerCall call;
  grpc_closure on_initial;
  grpc_closure *next_initial = nullptr;
  grpc_metadata_batch *initial = nullptr;
};

void OnInitial(void *arg, grpc_error_handle error) {
  auto *data = static_cast<ServerData *>(arg);
  if (error.ok()) {
    Turn turn(&data->call);
    data->call.Received(data->initial);
  }
  grpc_core::Closure::Run(DEBUG_LOCATION, data->next_initial, error);
}

void Intercept(ServerData *data, grpc_transport_stream_op_batch *batch) {
  auto &op = batch->payload->recv_initial_metadata;
  data->initial = op.recv_initial_metadata;
  data->next_initial = op.recv_initial_metadata_ready;
  GRPC_CLOSURE_INIT(&data->on_initial, OnInitial, data, nullptr);
  op.recv_initial_metadata_ready = &data->on_initial;
}

void Watch(ServerData *data, grpc_transport_stream_op_batch *batch) {
  Turn turn(&data->call);
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
  if (data->call.active())
    Watch(data, batch);
  grpc_call_next_op(elem, batch);
}

grpc_error_handle InitCall(grpc_call_element *elem,
                           const grpc_call_element_args *args) {
  auto *settings = static_cast<eown_settings *>(elem->channel_data);
  auto *data = new (elem->call_data) ServerData(settings, *args);
  Turn turn(&data->call);
  return absl::OkStatus();
}

void DestroyCall(grpc_call_element *elem, const grpc_call_final_info *,
                 grpc_closure *) {
  auto *data = static_cast<ServerData *>(elem->call_data);
  { Turn turn(&data->call); }
  data->~ServerData();
}

grpc_error_handle InitChannel(grpc_channel_element *elem,
                              grpc_channel_element_args *args) {
  ReadSettings(args->channel_args,
               static_cast<eown_settings *>(elem->channel_data));
  SetProcessHasServer();
  return absl::OkStatus();
}

void DestroyChannel(grpc_channel_element *elem) {
  eown_settings_clear(static_cast<eown_settings *>(elem->channel_data));
}

} // namespace

const grpc_channel_filter server_filter = {
    StartBatch,
    nullptr,
    grpc_channel_next_op,
    sizeof(ServerData),
    InitCall,
    grpc_call_stack_ignore_set_pollset_or_pollset_set,
    DestroyCall,
    sizeof(eown_settings),
    InitChannel,
    grpc_channel_stack_no_post_init,
    DestroyChannel,
    grpc_channel_next_get_info,
    "eown-server"};

} // namespace eown
