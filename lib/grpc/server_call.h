// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_SERVER_CALL_H
#define EOWN_GRPC_SERVER_CALL_H

#include "compat_context.h"
#include "eown/context.h"
#include "eown/memory_table.h"
#include "eown/settings.h"
#include "hot.h"
#include "metadata.h"

namespace eown {

// What the calls of one connection have in common.
struct ServerChannel {
  eown_settings settings;
  eown_memory_table *table = nullptr; // null: nothing is learned
  eown_memory memory = {};            // the table's view
};

// One inbound call: the server filter's data. It owns the inbound context and
// writes the claim when a status leaves.
class ServerCall {
public:
  explicit ServerCall(const ServerChannel *channel)
      : channel_(channel), mode_(eown__hot_mode(channel->settings.mode)) {}

  // Takes a context for the inbound. Says whether that is all: where it is not,
  // BeginRarely comes next. Our reference outlives the slots' use: a child
  // keeps its parent alive.
  bool Begin(CallContext *place) {
    eown__hot_count(EOWN_COUNTER_inbound_calls);
    context_ = eown__hot_take();
    if (context_ == nullptr)
      return false;
    PutInbound(place, context_);
    return true;
  }
  void BeginRarely(CallContext *place);

  // The inbound, or null. The reference is the filter's to give back.
  eown_context *context() const { return context_; }

  bool active() const { return ABSL_PREDICT_TRUE(mode_ != EOWN_MODE_OFF); }
  // The request's metadata arrived. Says whether that is all, as it is for a
  // request that is not a retry and brings nothing of eown's: where it is not,
  // Received comes next.
  bool ReceivedFirst(const grpc_metadata_batch &metadata) {
    if (!UnknownIn(metadata).empty() || PreviousAttempts(metadata) > 0)
      return false;
    NoteMethod(metadata);
    return true;
  }
  void Received(grpc_metadata_batch *metadata);
  // Initial metadata leaves before the status.
  void SentEarly() { early_ = true; }
  // The status leaves. Says whether that is all, as it is where nothing failed
  // and nothing has to be learned: where it is not, and the call is active,
  // Finish comes next.
  bool FinishWell(const grpc_metadata_batch &metadata) const {
    return UnknownIn(metadata).empty() &&
           metadata.get(grpc_core::GrpcStatusMetadata())
                   .value_or(GRPC_STATUS_OK) == GRPC_STATUS_OK &&
           (context_ == nullptr || (eown__hot_is_plain(context_) &&
                                    eown__hot_table_empty(channel_->table)));
  }
  void Finish(grpc_metadata_batch *metadata);

private:
  const eown_settings &settings() const { return channel_->settings; }
  void NoteMethod(const grpc_metadata_batch &metadata) {
    if (context_ == nullptr)
      return;
    if (const auto *path = metadata.get_pointer(grpc_core::HttpPathMetadata()))
      eown__hot_set_method(context_,
                           reinterpret_cast<const char *>(path->data()),
                           path->length());
    HandOver(context_); // to the handler's threads
  }
  void Served();
  void Say(grpc_status_code status, bool copied, grpc_metadata_batch *metadata);
  eown_decision Decide(grpc_status_code status, eown_claim_detail *detail);

  const ServerChannel *channel_;
  eown_context *context_ = nullptr; // null: the pool was empty
  eown_mode mode_;
  bool early_ = false;
};

extern const grpc_channel_filter server_filter;

} // namespace eown

#endif // EOWN_GRPC_SERVER_CALL_H
