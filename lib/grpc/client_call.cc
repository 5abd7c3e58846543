// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "client_call.h"

#include "eown/memory.h"
#include "metadata.h"
#include "process.h"

namespace eown {
namespace {

using grpc_core::GrpcRetryPushbackMsMetadata;

} // namespace

void ClientCall::BeginRarely(eown_context *context) {
  if (context != nullptr) {
    TieTo(eown_context_ref(context));
    NoteRetry();
  }
  eown_count(EOWN_COUNTER_outbound_calls);
  if (channel_->budget != nullptr)
    eown_budget_deposit(channel_->budget, Now());
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
  explicit_ = context != nullptr || old != nullptr;
  is_retry_ = false;
  if (context != nullptr) {
    TieTo(context);
    NoteRetry();
  }
  eown_context_unref(old);
}

// The value may be another library's, and ours may have outlived its inbound.
void ClientCall::TieAnew() {
  void *tie = ParentIn(call_context_);
  if (explicit_ || !eown_context_is_context(tie))
    return;
  eown_context *context =
      eown_context_try_ref(static_cast<eown_context *>(tie));
  if (context == nullptr)
    return;
  eown_context_unref(context_);
  TieTo(context);
  NoteRetry();
}

void ClientCall::NoteRetry() {
  if (started_ != 0 && !path().empty())
    is_retry_ |=
        eown_context_would_repeat(context_, path().data(), path().size());
}

void ClientCall::ReadPath(const grpc_metadata_batch &metadata) {
  const auto *path = metadata.get_pointer(grpc_core::HttpPathMetadata());
  if (path == nullptr)
    return;
  grpc_core::CSliceUnref(path_);
  path_ = grpc_core::CSliceRef(path->c_slice());
  if (context_ != nullptr)
    NoteRetry();
}

absl::string_view ClientCall::path() const {
  return grpc_core::StringViewFromSlice(path_);
}

void ClientCall::Count(eown_counter counter) const {
  eown_count_method(counter, path().data(),
                    static_cast<uint32_t>(path().size()));
}

void ClientCall::StartMetadata(const grpc_metadata_batch &metadata) {
  if (IsTiedAnew())
    TieAnew();
  if (kPathComesLate)
    ReadPath(metadata);
  if (buffered_ >= channel_->measure_from)
    buffered_ += metadata.TransportSize();
  if (context_ == nullptr && !explicit_ && ProcessHasServer())
    Count(EOWN_COUNTER_context_drops);
}

const RetryPolicy &ClientCall::Policy() {
  if (!policy_known_)
    policy_known_ = policy_.Read(call_context_, channel_->retries_enabled);
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
  grpc_status_code status = StatusOf(*metadata, error, deadline_);
  ended_ = true;
  if (status != GRPC_STATUS_OK)
    NoteFailure(metadata, error);
  if (context_ != nullptr)
    Record(status, *metadata);
}

void ClientCall::NoteFailure(grpc_metadata_batch *metadata,
                             const grpc_error_handle &error) {
  reached_ |= in_flight_;
  RestorePushback(metadata);
  pushback_theirs_ = metadata->get(GrpcRetryPushbackMsMetadata());
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
