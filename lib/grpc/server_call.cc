// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "server_call.h"

#include <string.h>

#include "claim_counters.h"
#include "eown/counters.h"
#include "metadata.h"
#include "process.h"

namespace eown {

void ServerCall::BeginRarely(CallContext *place) {
  context_ = eown_context_acquire();
  if (context_ != nullptr)
    PutInbound(place, context_);
  else
    eown_count(EOWN_COUNTER_context_limit);
}

void ServerCall::Received(grpc_metadata_batch *metadata) {
  const char *alias = settings().claim_key_alias;
  const FoundKeys found = FindKeys(*metadata, alias);
  if (found.any_claim()) {
    RemoveClaim(found, alias, metadata);
    eown_count(EOWN_COUNTER_stripped_claims);
  }
  if (found.mark && !found.marked)
    eown_count(EOWN_COUNTER_malformed_mark);
  // Nor may the application forward it to where marks are believed.
  if (found.mark && settings().trust_boundary)
    metadata->Remove(EOWN_RETRY_MARK_KEY);
  bool retry = (found.marked || PreviousAttempts(*metadata) > 0) &&
               !settings().trust_boundary;
  if (retry)
    eown_count(EOWN_COUNTER_inbound_retries);
  if (retry && context_ != nullptr)
    eown_context_mark_retry(context_);
  NoteMethod(*metadata);
}

eown_decision ServerCall::Decide(grpc_status_code status,
                                 eown_claim_detail *detail) {
  eown_context_view view = {};
  view.faults = settings().faults;
  view.own_unreachable = settings().own_unreachable;
  view.service_name = settings().service_name;
  view.pins = settings().pins;
  view.memory = channel_->table == nullptr ? nullptr : &channel_->memory;
  view.now_ms = Now();
  return eown_context_decide(context_, static_cast<eown_status>(status), &view,
                             detail);
}

void ServerCall::Finish(grpc_metadata_batch *metadata) {
  const char *alias = settings().claim_key_alias;
  const FoundKeys found = FindKeys(*metadata, alias);
  if (found.any_claim()) {
    RemoveClaim(found, alias, metadata);
    eown_count(EOWN_COUNTER_replaced_claims);
  }
  grpc_status_code status =
      metadata->get(grpc_core::GrpcStatusMetadata()).value_or(GRPC_STATUS_OK);
  if (status != GRPC_STATUS_OK)
    Say(status, found.any_claim(), metadata);
  else if (context_ != nullptr && eown__hot_now(context_) != 0)
    Decide(status, nullptr);
  else if (context_ != nullptr && eown_memory_sample(channel_->table))
    Served();
}

ABSL_ATTRIBUTE_NOINLINE void ServerCall::Served() {
  const char *method = eown_context_method(context_);
  eown_memory_table_served(channel_->table, method, strlen(method), Now());
}

// A pushback that stops retries and came along with a callee's claim is the
// callee's as well: it must not stop the retries of an error that is ours.
static void RemoveCopiedStop(grpc_metadata_batch *metadata) {
  auto pushback = metadata->get(grpc_core::GrpcRetryPushbackMsMetadata());
  if (pushback.has_value() && *pushback < grpc_core::Duration::Zero())
    metadata->Remove(grpc_core::GrpcRetryPushbackMsMetadata());
}

ABSL_ATTRIBUTE_NOINLINE void ServerCall::Say(grpc_status_code status,
                                             bool copied,
                                             grpc_metadata_batch *metadata) {
  eown_count(EOWN_COUNTER_inbound_errors);
  if (early_)
    eown_count(EOWN_COUNTER_early_headers);
  if (copied)
    RemoveCopiedStop(metadata);
  if (context_ == nullptr)
    return;
  eown_claim_detail detail;
  eown_decision decision = Decide(status, &detail);
  if (Tracing())
    EOWN_LOG_INFO("eown: %s answers %s: %s, %s; owner %s, %u hops",
                  eown_context_method(context_),
                  eown_status_name(static_cast<eown_status>(status)),
                  eown_claim_name(decision.claim),
                  eown_reason_name(decision.reason), detail.owner_service,
                  detail.hops);
  if (settings().trust_boundary)
    return;
  eown_count(SentCounter(decision));
  WriteClaim(decision.claim, &detail, settings().claim_key_alias, metadata);
  if (eown_rule_pushback(decision.claim, mode_ == EOWN_MODE_ENFORCE,
                         settings().send_pushback))
    metadata->Set(grpc_core::GrpcRetryPushbackMsMetadata(),
                  grpc_core::Duration::Milliseconds(-1));
}

} // namespace eown
