// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_CLIENT_CALL_H
#define EOWN_GRPC_CLIENT_CALL_H

#include "compat_context.h"
#include "eown/budget.h"
#include "eown/context.h"
#include "eown/counters.h"
#include "eown/settings.h"
#include "retry_policy.h"

namespace eown {

// A client channel's share: its settings and budget.
struct ClientChannel {
  eown_settings settings;
  eown_budget *budget; // null: none
  bool retries_enabled;
  size_t replay_buffer_size;
  char *server_uri;                     // owned; null: a direct channel
  grpc_channel_element *client_channel; // gRPC's; null: a direct channel
};

// What a callee asks its caller to wait, as gRPC reads it.
using Pushback = decltype(std::declval<const grpc_metadata_batch &>().get(
    grpc_core::GrpcRetryPushbackMsMetadata()));

// One outbound call: the call filter's data, which the attempt filter of each
// of its attempts finds through the call's context array. gRPC's call combiner
// runs everything that touches it one after the other, so it needs no lock.
class ClientCall {
public:
  ClientCall(ClientChannel *channel, const grpc_call_element_args &args);
  ~ClientCall();

  // The call whose attempt this is, or null where no call filter is above.
  static ClientCall *FromContext(CallContext *context);
  // The same from a pointer that may be another library's.
  static ClientCall *FromPointer(void *pointer);

  // Ties the call to `context` (null: to none, on purpose).
  void Attach(eown_context *context);

  // The application's batch on its way down.
  void Start(grpc_transport_stream_op_batch *batch);
  // The call's end. Takes back what the attempt filter added.
  void End(grpc_metadata_batch *metadata, const grpc_error_handle &error);

  // --- for the attempt filter ---

  bool active() const { return mode_ != EOWN_MODE_OFF; }
  // Which attempt of the call is the current one; others were abandoned.
  void set_attempt(const void *attempt) { attempt_ = attempt; }
  bool is_attempt(const void *attempt) const { return attempt_ == attempt; }
  void BeginAttempt(grpc_metadata_batch *metadata);
  // The attempt's end: rule 1. `early`: headers came before the trailers.
  void EndAttempt(grpc_metadata_batch *metadata, const grpc_error_handle &error,
                  bool early);

private:
  absl::string_view path() const;
  void ReadPath(const grpc_metadata_batch &metadata);
  void NoteRepeat();
  void Count(eown_counter counter) const;
  // The uncommon ways, out of line so that success does not pay for them.
  void MeasureMetadata(const grpc_metadata_batch &metadata);
  void FailAttempt(grpc_status_code status, grpc_metadata_batch *metadata);
  void Fail(grpc_status_code status, grpc_metadata_batch *metadata,
            const grpc_error_handle &error);
  bool Transparent(const grpc_metadata_batch &metadata);
  void ReadTrailers(const grpc_metadata_batch &metadata);
  void Decide(grpc_status_code status, grpc_metadata_batch *metadata);
  eown_retry Verdict(uint64_t now) const;
  void Stop(grpc_metadata_batch *metadata);
  void RestorePushback(grpc_metadata_batch *metadata);
  void Record(grpc_status_code status, const grpc_metadata_batch &metadata);
  void Describe(grpc_status_code status, const grpc_metadata_batch &metadata,
                eown_outcome *outcome);
  const RetryPolicy &Policy();
  eown_edge_kind Pinned() const;

  static constexpr uint64_t kMagic = 0x656f776e63616c6cu; // "eowncall"

  const uint64_t magic_ = kMagic;
  ClientChannel *channel_;
  CallContext *call_context_;
  grpc_slice path_;
  grpc_core::Timestamp deadline_;
  eown_context *context_ = nullptr;
  const void *attempt_ = nullptr;
  size_t buffered_ = 0; // bytes that gRPC keeps for a replay
  uint32_t started_ = 0;
  uint32_t attempts_ = 0; // configured ones, transparent retries left out
  eown_mode mode_;
  eown_claim claim_ = EOWN_CLAIM_MISSING; // of the last attempt
  bool from_peer_ = false; // the last attempt's status came from the peer
  bool in_flight_ = false; // an attempt is on the wire
  bool ended_ = false;     // for the application
  bool reached_ = false;   // an attempt reached the callee
  bool local_counted_ = false;
  bool untied_ = false;      // on purpose
  bool repeats_ = false;     // the application's own retry
  bool committed_ = false;   // gRPC will not retry any more
  bool unseen_once_ = false; // gRPC's one retry of what no server saw is used
  bool pushback_ours_ = false;
  RetryPolicy policy_; // once a failure asked for it
  Pushback pushback_theirs_;
};

extern const grpc_channel_filter call_filter;
extern const grpc_channel_filter attempt_filter;

} // namespace eown

#endif // EOWN_GRPC_CLIENT_CALL_H
