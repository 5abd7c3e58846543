// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_SERVER_INTERCEPTOR_H
#define EOWN_GRPCPP_SERVER_INTERCEPTOR_H

#include <grpcpp/server_context.h>
#include <grpcpp/support/interceptor.h>
#include <grpcpp/support/server_interceptor.h>

#include "eown/context.h"
#include "eown/memory_table.h"
#include "metadata.h"
#include "options.h"
#include "ties.h"

namespace eown::grpcpp {

// What the calls of one server have in common.
struct Service {
  explicit Service(const grpc::ChannelArguments &settings);
  const Options options;
  eown_memory_table *table = nullptr; // null: nothing is learned
  eown_memory memory = {};            // the table's view
};

// One inbound call. It owns the inbound context and writes the claim when a
// status leaves.
class ServerInterceptor final : public grpc::experimental::Interceptor {
public:
  ServerInterceptor(const Service *service, eown_mode mode,
                    grpc::experimental::ServerRpcInfo *info);
  ~ServerInterceptor() override;

  void Intercept(grpc::experimental::InterceptorBatchMethods *methods) override;

private:
  // The request's metadata arrived. The rest of the call may run inside.
  void Receive(grpc::experimental::InterceptorBatchMethods *methods);
  eown_context *Begin(Received *metadata);
  void Open(bool retry);
  // The status leaves.
  void Finish(grpc::experimental::InterceptorBatchMethods *methods);
  void Say(grpc::StatusCode status, bool copied, Sent *trailers);
  void Served();
  eown_decision Decide(grpc::StatusCode status, eown_claim_detail *detail);

  const Service *service_;
  grpc::experimental::ServerRpcInfo *info_;
  eown_context *context_ = nullptr; // null: none was to be had
  Tie tie_;
  eown_mode mode_;
  bool early_ = false; // initial metadata left before the status
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_SERVER_INTERCEPTOR_H
