// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// What a call makes of its attempts: rule 1.
#include "client_call.h"
#include "metadata.h"
#include "process.h"

namespace eown {
namespace {

using grpc_core::Duration;
using grpc_core::GrpcRetryPushbackMsMetadata;
using grpc_core::GrpcStreamNetworkState;

eown_counter StopCounter(eown_retry verdict) {
  static constexpr eown_counter kCounters[EOWN_RETRY_N] = {
      EOWN_COUNTER_N, EOWN_COUNTER_retry_allowed,
      EOWN_COUNTER_stopped_unclaimed, EOWN_COUNTER_stopped_budget,
      EOWN_COUNTER_stopped_chain};
  return kCounters[verdict];
}

bool IsNegative(const Pushback &pushback) {
  return pushback.has_value() && *pushback < Duration::Zero();
}

} // namespace

void ClientCall::BeginMarked(grpc_metadata_batch *metadata) {
  if (attempts_ > 1 && !transparent_)
    Count(EOWN_COUNTER_outbound_retries);
  if (channel_->settings.trust_boundary)
    RemoveForwarded(channel_->settings.claim_key_alias, metadata);
  else if (is_retry_ || attempts_ > 1)
    WriteMark(metadata);
}

// A try that no server took up is repeated by gRPC on its own: always where
// nothing was sent, once where the server says that it did not look.
bool ClientCall::Transparent(const grpc_metadata_batch &metadata) {
  auto state = metadata.get(GrpcStreamNetworkState());
  if (!state.has_value() || committed_ || !channel_->retries_enabled)
    return false;
  if (*state == GrpcStreamNetworkState::kNotSentOnWire)
    return true;
  bool first = !unseen_once_;
  unseen_once_ = true;
  return first;
}

void ClientCall::ReadTrailers(const grpc_metadata_batch &metadata) {
  FoundKeys found;
  const char *alias = channel_->settings.claim_key_alias;
  claim_ = ReadClaim(metadata, alias, path(), &found);
  from_peer_ = found.any_claim() ||
               metadata.get(grpc_core::GrpcStatusFromWire()).value_or(false);
  if (channel_->settings.trust_boundary)
    claim_ = EOWN_CLAIM_MISSING;
}

void ClientCall::EndAttempt(grpc_metadata_batch *metadata,
                            const grpc_error_handle &error, bool early) {
  // The call may have ended first: by its deadline, or cancelled.
  if (ended_)
    return;
  committed_ |= early;
  in_flight_ = false;
  pushback_ours_ = false;
  grpc_status_code status = StatusOf(*metadata, error, deadline_);
  if (status == GRPC_STATUS_OK)
    return;
  transparent_ = Transparent(*metadata);
  if (transparent_) {
    attempts_--;
    return;
  }
  reached_ = true;
  ReadTrailers(*metadata);
  local_counted_ = !from_peer_;
  if (from_peer_)
    eown_count_received(claim_, path().data(),
                        static_cast<uint32_t>(path().size()));
  else
    Count(EOWN_COUNTER_local);
  Decide(status, metadata);
}

eown_retry ClientCall::Verdict(uint64_t now) const {
  bool empty = channel_->budget != nullptr &&
               !eown_budget_would_allow(channel_->budget, now);
  bool chained = channel_->settings.chain_stop && context_ != nullptr &&
                 eown_context_is_retry(context_);
  return eown_rule_retry(true, claim_, empty, chained);
}

void ClientCall::Decide(grpc_status_code status,
                        grpc_metadata_batch *metadata) {
  const RetryPolicy &policy = Policy();
  bool committed = committed_ || buffered_ > channel_->replay_buffer_size;
  eown_counter counter =
      policy.Refusal(status, attempts_, committed,
                     {channel_->server_uri, channel_->client_channel});
  if (counter == EOWN_COUNTER_N) {
    uint64_t now = Now();
    eown_retry verdict = Verdict(now);
    counter = StopCounter(verdict);
    if (eown_retry_is_stop(verdict))
      Stop(metadata);
    else if (IsNegative(metadata->get(GrpcRetryPushbackMsMetadata())))
      counter = EOWN_COUNTER_refused_pushback;
    else if (channel_->budget != nullptr)
      eown_budget_withdraw(channel_->budget, now);
  }
  Count(counter);
  if (Tracing())
    EOWN_LOG_INFO("eown: %.*s attempt %u ended %s, %s by %s: %s",
                  static_cast<int>(path().size()), path().data(), attempts_,
                  eown_status_name(static_cast<eown_status>(status)),
                  eown_claim_name(claim_),
                  from_peer_ ? "the callee" : "this side",
                  eown_counter_text(counter));
}

// gRPC's retry filter reads this from the metadata right above us.
void ClientCall::Stop(grpc_metadata_batch *metadata) {
  auto theirs = metadata->get(GrpcRetryPushbackMsMetadata());
  if (mode_ != EOWN_MODE_ENFORCE || IsNegative(theirs))
    return;
  pushback_ours_ = true;
  pushback_theirs_ = theirs;
  metadata->Set(GrpcRetryPushbackMsMetadata(), Duration::Milliseconds(-1));
}

} // namespace eown
