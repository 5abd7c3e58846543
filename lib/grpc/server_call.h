// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_SERVER_CALL_H
#define EOWN_GRPC_SERVER_CALL_H

#include "compat_context.h"
#include "eown/context.h"
#include "eown/memory_table.h"
#include "eown/settings.h"

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
  ServerCall(const ServerChannel *channel, const grpc_call_element_args &args);
  ~ServerCall();

  bool active() const { return mode_ != EOWN_MODE_OFF; }
  // The request's metadata arrived.
  void Received(grpc_metadata_batch *metadata);
  // Initial metadata leaves before the status.
  void SentEarly() { early_ = true; }
  // The status leaves.
  void Finish(grpc_metadata_batch *metadata);

private:
  void Served();
  void Say(grpc_status_code status, grpc_metadata_batch *metadata);
  eown_decision Decide(grpc_status_code status, eown_claim_detail *detail);

  const ServerChannel *channel_;
  const eown_settings *settings_;
  eown_context *context_ = nullptr; // null: the pool was empty
  eown_mode mode_;
  bool early_ = false;
};

extern const grpc_channel_filter server_filter;

} // namespace eown

#endif // EOWN_GRPC_SERVER_CALL_H
