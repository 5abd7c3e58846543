// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The attempt filter: once per attempt, below gRPC's retry filter. It marks
// retries on their way out and decides on failures on their way in, before gRPC
// does.
#include "client_call.h"
#include "compat_stack.h"
#include "hook.h"
#include "metadata.h"

namespace eown {
namespace {

struct AttemptData {
  explicit AttemptData(ClientCall *found) : call(found) {}
  ClientCall *const call; // null: the channel above has no call filter
  const bool *trailers_only = nullptr; // gRPC's, as long as the attempt lives
  Hook trailing;
};

// Headers that came before the trailers committed the call: gRPC will not
// retry. The transport says so before the trailers come, so there is no need to
// wait for the headers as well.
bool CameEarly(const AttemptData &data) {
  return data.trailers_only != nullptr && !*data.trailers_only;
}

ABSL_ATTRIBUTE_NOINLINE void End(AttemptData *data, grpc_error_handle *error) {
  {
    Turn turn(data->call);
    // An abandoned attempt ends when another has taken over: not its outcome.
    if (data->call->is_attempt(data))
      data->call->EndAttempt(data->trailing.metadata(), *error,
                             CameEarly(*data));
  }
  data->trailing.Pass(error);
}

void OnTrailing(void *arg, grpc_error_handle error) {
  auto *data = static_cast<AttemptData *>(arg);
  TakeOver(data);
  bool well = false;
  {
    Turn turn(data->call);
    well = EndedWell(*data->trailing.metadata(), error);
  }
  if (!well)
    return End(data, &error);
  data->trailing.Pass(&error);
}

ABSL_ATTRIBUTE_NOINLINE void
StartMarked(grpc_call_element *elem, grpc_transport_stream_op_batch *batch) {
  auto *data = static_cast<AttemptData *>(elem->call_data);
  {
    Turn turn(data->call);
    data->call->BeginMarked(
        batch->payload->send_initial_metadata.send_initial_metadata);
  }
  NextOp(elem, batch);
}

// Says whether that is all: where it is not, StartMarked comes next.
inline bool Watch(AttemptData *data, grpc_transport_stream_op_batch *batch) {
  Turn turn(data->call);
  const auto &payload = *batch->payload;
  if (batch->recv_initial_metadata)
    data->trailers_only =
        payload.recv_initial_metadata.trailing_metadata_available;
  if (ABSL_PREDICT_TRUE(batch->recv_trailing_metadata))
    data->trailing.SetTrailing(batch, OnTrailing, data);
  return !batch->send_initial_metadata || data->call->BeginAttempt();
}

// What is seldom is a function that nothing follows: the rest needs no stack.
void StartBatch(grpc_call_element *elem,
                grpc_transport_stream_op_batch *batch) {
  auto *data = static_cast<AttemptData *>(elem->call_data);
  TakeOver(data);
  if (data->call != nullptr && !Watch(data, batch))
    return StartMarked(elem, batch);
  NextOp(elem, batch);
}

grpc_error_handle InitCall(grpc_call_element *elem,
                           const grpc_call_element_args *args) {
  auto *call = ClientCall::FromContext(ContextOf(*args));
  auto *data = new (elem->call_data) AttemptData(call);
  if (call != nullptr) {
    Turn turn(call);
    call->set_attempt(data);
  }
  HandOver(data);
  return absl::OkStatus();
}

void DestroyCall(grpc_call_element *elem, const grpc_call_final_info *,
                 grpc_closure *) {
  static_cast<AttemptData *>(elem->call_data)->~AttemptData();
}

grpc_error_handle InitChannel(grpc_channel_element *,
                              grpc_channel_element_args *) {
  return absl::OkStatus();
}

void DestroyChannel(grpc_channel_element *) {}

} // namespace

const grpc_channel_filter attempt_filter = {
    StartBatch,
    EOWN_NO_PROMISES grpc_channel_next_op,
    sizeof(AttemptData),
    InitCall,
    grpc_call_stack_ignore_set_pollset_or_pollset_set,
    DestroyCall,
    0,
    InitChannel,
    grpc_channel_stack_no_post_init,
    DestroyChannel,
    grpc_channel_next_get_info,
    EOWN_FILTER_NAME("eown-attempt")};

} // namespace eown
