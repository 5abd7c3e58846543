// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "client_call.h"

#include "eown/memory.h"
#include "metadata.h"
#include "process.h"

namespace eown {
namespace {

using grpc_core::GrpcRetryPushbackMsMetadata;

// Explicit ties come later; here the parent call's, then the thread's.
eown_context *FindContext(CallContext *context) {
  void *parent = ParentIn(context);
  return parent != nullptr && eown_context_is_context(parent)
             ? static_cast<eown_context *>(parent)
             : eown_context_current();
}

} // namespace

ClientCall::ClientCall(ClientChannel *channel,
                       const grpc_call_element_args &args)
    : channel_(channel), call_context_(ContextOf(args)), path_(),
      deadline_(args.deadline),
      mode_(eown_mode_effective(channel->settings.mode)) {
  if (!active())
    return;
  path_ = PathOf(args);
  CallContext *const place = ContextOf(args);
  if (eown_context *context = FindContext(place))
    Attach(context);
  PutCall(place, this);
  HandOver(place);
  eown_count(EOWN_COUNTER_outbound_calls);
  if (channel_->budget != nullptr)
    eown_budget_deposit(channel_->budget, Now());
}

ClientCall::~ClientCall() {
  if (context_ != nullptr)
    eown_context_unref(context_);
  grpc_core::CSliceUnref(path_);
}

ClientCall *ClientCall::FromContext(CallContext *context) {
  TakeOver(context);
  return static_cast<ClientCall *>(CallIn(context));
}

ClientCall *ClientCall::FromPointer(void *pointer) {
  auto *call = static_cast<ClientCall *>(pointer);
  return call != nullptr && call->magic_ == kMagic ? call : nullptr;
}

void ClientCall::Attach(eown_context *context) {
  eown_context *old = context_;
  context_ = eown_context_ref(context);
  eown_context_unref(old);
  untied_ = context == nullptr && old != nullptr;
  if (context == nullptr)
    return;
  TakeOver(context);
  started_ = eown_context_now(context);
  if (!kPathComesLate || !path().empty())
    NoteRepeat();
}

void ClientCall::NoteRepeat() {
  repeats_ = started_ != 0 &&
             eown_context_would_repeat(context_, path().data(), path().size());
}

void ClientCall::ReadPath(const grpc_metadata_batch &metadata) {
  const auto *path = metadata.get_pointer(grpc_core::HttpPathMetadata());
  if (path == nullptr)
    return;
  grpc_core::CSliceUnref(path_);
  path_ = grpc_core::CSliceRef(path->c_slice());
  if (context_ != nullptr)
    NoteRepeat();
}

absl::string_view ClientCall::path() const {
  return grpc_core::StringViewFromSlice(path_);
}

void ClientCall::Count(eown_counter counter) const {
  eown_count_method(counter, path().data(),
                    static_cast<uint32_t>(path().size()));
}

ABSL_ATTRIBUTE_NOINLINE
void ClientCall::MeasureMetadata(const grpc_metadata_batch &metadata) {
  buffered_ += metadata.TransportSize();
}

void ClientCall::Start(grpc_transport_stream_op_batch *batch) {
  if (batch->send_message)
    buffered_ += batch->payload->send_message.send_message->Length();
  if (!batch->send_initial_metadata)
    return;
  const grpc_metadata_batch &metadata =
      *batch->payload->send_initial_metadata.send_initial_metadata;
  if (kPathComesLate)
    ReadPath(metadata);
  // Metadata is only worth measuring where it may fill the buffer. Peers take
  // less than this much of it, unless they are told to take more.
  constexpr size_t kMostMetadata = 16 << 10;
  if (buffered_ + kMostMetadata > channel_->replay_buffer_size)
    MeasureMetadata(metadata);
  if (context_ == nullptr && !untied_ && ProcessHasServer())
    Count(EOWN_COUNTER_context_drops);
}

const RetryPolicy &ClientCall::Policy() {
  if (!policy_.known())
    policy_ = RetryPolicy(call_context_, channel_->retries_enabled);
  return policy_;
}

void ClientCall::RestorePushback(grpc_metadata_batch *metadata) {
  if (!pushback_ours_)
    return;
  if (pushback_theirs_.has_value())
    metadata->Set(GrpcRetryPushbackMsMetadata(), *pushback_theirs_);
  else
    metadata->Remove(GrpcRetryPushbackMsMetadata());
}

void ClientCall::End(grpc_metadata_batch *metadata,
                     const grpc_error_handle &error) {
  ended_ = true;
  grpc_status_code status = StatusOf(*metadata, error, deadline_);
  if (status != GRPC_STATUS_OK)
    Fail(status, metadata, error);
  else if (context_ != nullptr && eown_context_now(context_) != 0)
    Record(status, *metadata);
}

ABSL_ATTRIBUTE_NOINLINE
void ClientCall::Fail(grpc_status_code status, grpc_metadata_batch *metadata,
                      const grpc_error_handle &error) {
  reached_ |= in_flight_;
  RestorePushback(metadata);
  // The last attempt's word counts only for the status it came with.
  if (!error.ok())
    from_peer_ = false;
  if (!from_peer_)
    claim_ = EOWN_CLAIM_MISSING;
  Count(EOWN_COUNTER_outbound_errors);
  if (!from_peer_ && !local_counted_)
    Count(EOWN_COUNTER_local);
  if (!reached_)
    Count(EOWN_COUNTER_unreached);
  if (context_ != nullptr)
    Record(status, *metadata);
}

// An edge pinned on the channel, where the inbound's name is known as well.
eown_edge_kind ClientCall::Pinned() const {
  eown_edge_kind kind = EOWN_EDGE_UNKNOWN;
  const char *inbound = eown_context_method(context_);
  eown_edge edge = {inbound, strlen(inbound), path().data(), path().size()};
  eown_pins_find(channel_->settings.pins, &edge, &kind);
  return kind;
}

void ClientCall::Describe(grpc_status_code status,
                          const grpc_metadata_batch &metadata,
                          eown_outcome *outcome) {
  outcome->claim = claim_;
  outcome->policy = Policy().For(status);
  outcome->attempts = attempts_;
  outcome->reached = reached_;
  outcome->edge = Pinned();
  if (!from_peer_)
    return;
  absl::string_view detail = FindDetail(metadata, path());
  outcome->detail_bytes = reinterpret_cast<const uint8_t *>(detail.data());
  outcome->detail_length = detail.size();
}

void ClientCall::Record(grpc_status_code status,
                        const grpc_metadata_batch &metadata) {
  eown_outcome outcome = {};
  outcome.method = path().data();
  outcome.method_length = path().size();
  outcome.started = started_;
  outcome.status = static_cast<eown_status>(status);
  if (status != GRPC_STATUS_OK)
    Describe(status, metadata, &outcome);
  eown_context_record(context_, &outcome);
}

} // namespace eown
