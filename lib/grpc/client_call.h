// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_CLIENT_CALL_H
#define EOWN_GRPC_CLIENT_CALL_H

#include "compat_context.h"
#include "eown/budget.h"
#include "eown/context.h"
#include "eown/counters.h"
#include "eown/retry.h"
#include "eown/settings.h"
#include "hot.h"
#include "metadata.h"
#include "retry_policy.h"

namespace eown {

// A client channel's share: its settings and budget.
struct ClientChannel {
  eown_settings settings;
  eown_budget *budget; // null: none
  bool retries_enabled;
  size_t replay_buffer_size;
  // With so much in the buffer metadata may fill it, and is measured: peers
  // take less than what is left then, unless they are told to take more.
  size_t measure_from;
  char *server_uri;                     // owned; null: a direct channel
  grpc_channel_element *client_channel; // gRPC's; null: a direct channel
};

// What a callee asks its caller to wait, as gRPC reads it.
using Pushback = decltype(std::declval<const grpc_metadata_batch &>().get(
    grpc_core::GrpcRetryPushbackMsMetadata()));

// What a call knows of itself; all of it starts as zero.
struct ClientCallState {
  eown_context *context_; // the inbound's, tied; a reference
  const void *attempt_;
  size_t buffered_;    // bytes that gRPC keeps for a replay
  uint32_t started_;   // in the context's order of events
  uint32_t attempts_;  // configured ones, transparent retries left out
  eown_claim claim_;   // of the last attempt
  bool from_peer_;     // the last attempt's status came from the peer
  bool in_flight_;     // an attempt is on the wire
  bool ended_;         // for the application
  bool reached_;       // an attempt reached the callee
  bool local_counted_; // the last attempt was counted as local
  bool explicit_;      // the tie: the application named the inbound, or none
  bool is_retry_;      // the application's own, or the inbound is one
  bool transparent_;   // the last attempt: gRPC repeats it on its own
  bool committed_;     // gRPC will not retry any more
  bool unseen_once_;   // gRPC's one retry of what no server saw is used
  bool pushback_ours_; // the last attempt's, set by Stop
  bool policy_known_;  // once a failure asked for it
};

// One outbound call: the call filter's data, which the attempt filter of each
// of its attempts finds through the call's context array. gRPC's call combiner
// runs everything that touches it one after the other, so it needs no lock.
class ClientCall : private ClientCallState {
public:
  ClientCall(ClientChannel *channel, const grpc_call_element_args &args)
      : ClientCallState(), channel_(channel), call_context_(ContextOf(args)),
        deadline_(args.deadline), mode_(eown__hot_mode(channel->settings.mode)),
        path_(PathOf(args)) {}
  ~ClientCall() { grpc_core::CSliceUnref(path_); }

  // Becomes what FromContext finds.
  void Enter(CallContext *place) {
    PutCall(place, this);
    HandOver(place);
  }
  // Begins, tied to `context` (null: to none). Says whether that is all: where
  // it is not, BeginRarely comes next.
  bool Begin(const ClientChannel &channel, eown_context *context) {
    const bool rare = context == nullptr || !eown__hot_is_plain(context) ||
                      channel.budget != nullptr;
    if (ABSL_PREDICT_FALSE(rare))
      return false;
    eown__hot_ref(context);
    TakeOver(context);
    context_ = context;
    eown__hot_count(EOWN_COUNTER_outbound_calls);
    return true;
  }
  void BeginRarely(eown_context *context);

  // The call whose attempt this is, or null where no call filter is above.
  static ClientCall *FromContext(CallContext *context);
  // The same from a pointer that may be another library's.
  static ClientCall *FromPointer(void *pointer);

  // The inbound's, or null. The reference is the filter's to give back.
  eown_context *context() const { return context_; }
  // Ties the call to `context` (null: to none, on purpose).
  void Attach(eown_context *context);
  // The call is one of a loop's (eown_grpc_retry_begin), and a retry (`mark`).
  void BeginLoop(eown_context *context, bool mark);
  // What the loop wants to know of the call's failure.
  void Describe(eown_retry_end *end) const;

  // The application's batch on its way down. Says whether that is all: where it
  // is not, StartMetadata comes next.
  bool Start(const grpc_transport_stream_op_batch &batch) {
    if (batch.send_message)
      buffered_ += batch.payload->send_message.send_message->Length();
    return !batch.send_initial_metadata ||
           !(kPathComesLate || context_ == nullptr || IsTiedAnew() ||
             buffered_ >= channel_->measure_from);
  }
  void StartMetadata(const grpc_metadata_batch &metadata);
  // The call's end. Takes back what the attempt filter added.
  void End(grpc_metadata_batch *metadata, const grpc_error_handle &error);
  // The same where it EndedWell and no outbound of the inbound had failed: says
  // whether it was so.
  bool Succeed() {
    if (context_ != nullptr && !eown__hot_is_plain(context_))
      return false;
    ended_ = true;
    return true;
  }

  // --- for the attempt filter ---

  bool active() const { return ABSL_PREDICT_TRUE(mode_ != EOWN_MODE_OFF); }
  // Which attempt of the call is the current one; others were abandoned.
  void set_attempt(const void *attempt) { attempt_ = attempt; }
  bool is_attempt(const void *attempt) const { return attempt_ == attempt; }
  // Says whether that is all: where it is not, BeginMarked comes next. What the
  // metadata says of earlier attempts may be forwarded from another call: only
  // what was seen here counts.
  bool BeginAttempt() {
    in_flight_ = true;
    eown__hot_count(EOWN_COUNTER_outbound_attempts);
    attempts_++;
    return attempts_ == 1 && !is_retry_ && !channel_->settings.trust_boundary;
  }
  void BeginMarked(grpc_metadata_batch *metadata);
  // The attempt's end: rule 1. Not needed where it EndedWell. `early`: headers
  // came before the trailers.
  void EndAttempt(grpc_metadata_batch *metadata, const grpc_error_handle &error,
                  bool early);

private:
  absl::string_view path() const;
  void ReadPath(const grpc_metadata_batch &metadata);
  // Where the inbound had a failure, or is itself a retry: its calls are
  // marked.
  void NoteRetry();
  // C++'s ClientContext::set_census_context came after the call was made: it
  // names the inbound, in eown::Retry for one.
  bool IsTiedAnew() const {
    const void *tie = ParentIn(call_context_);
    return tie != nullptr && tie != context_;
  }
  void TieAnew();
  void Count(eown_counter counter) const;
  bool Transparent(const grpc_metadata_batch &metadata);
  void ReadTrailers(const grpc_metadata_batch &metadata);
  void Decide(grpc_status_code status, grpc_metadata_batch *metadata);
  eown_retry Verdict(uint64_t now) const;
  void Stop(grpc_metadata_batch *metadata);
  void NoteFailure(grpc_metadata_batch *metadata,
                   const grpc_error_handle &error);
  void RestorePushback(grpc_metadata_batch *metadata);
  void Record(grpc_status_code status, const grpc_metadata_batch &metadata);
  void Describe(grpc_status_code status, const grpc_metadata_batch &metadata,
                eown_outcome *outcome);
  const RetryPolicy &Policy();
  eown_edge_kind Pinned() const;

  static constexpr uint64_t kMagic = 0x656f776e63616c6cu; // "eowncall"

  // The inbound, its reference counted; not null.
  void TieTo(eown_context *context) {
    TakeOver(context);
    context_ = context;
    started_ = eown__hot_now(context);
    is_retry_ = eown__hot_is_marked(context, EOWN__MARK_RETRY);
  }

  const uint64_t magic_ = kMagic;
  ClientChannel *channel_;
  CallContext *call_context_;
  grpc_core::Timestamp deadline_;
  eown_mode mode_;
  grpc_slice path_;
  RetryPolicy policy_;       // where it is known
  Pushback pushback_theirs_; // where one of ours is set; at the end of a call
                             // that failed
};

extern const grpc_channel_filter call_filter;
extern const grpc_channel_filter attempt_filter;

} // namespace eown

#endif // EOWN_GRPC_CLIENT_CALL_H
