// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_CLIENT_INTERCEPTOR_H
#define EOWN_GRPCPP_CLIENT_INTERCEPTOR_H

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_interceptor.h>
#include <grpcpp/support/interceptor.h>

#include <string>

#include "eown/budget.h"
#include "eown/context.h"
#include "eown/counters.h"
#include "eown/retry.h"
#include "metadata.h"
#include "options.h"
#include "policies.h"

namespace eown::grpcpp {

// What the calls of one channel have in common.
struct Outbounds {
  // `target`: channels to one target share a retry budget.
  Outbounds(const grpc::ChannelArguments &arguments, const std::string &target);
  ~Outbounds() { eown_budget_release(budget); }
  Outbounds(const Outbounds &) = delete;
  Outbounds &operator=(const Outbounds &) = delete;
  const Options options;
  Policies policies;
  eown_budget *budget = nullptr; // for the application's loops; null: none
};

// One outbound call, above gRPC's retries. It ties the call to its inbound and
// records how it ended.
class ClientInterceptor final : public grpc::experimental::Interceptor {
public:
  // Returns null where memory is not to be had.
  static ClientInterceptor *Make(Outbounds *outbounds,
                                 grpc::experimental::ClientRpcInfo *info);
  ~ClientInterceptor() override;
  static void operator delete(void *place) { ::operator delete(place); }

  void Intercept(grpc::experimental::InterceptorBatchMethods *methods) override;

private:
  ClientInterceptor(Outbounds *outbounds,
                    grpc::experimental::ClientRpcInfo *info, char *path);

  // The request leaves.
  void Start(grpc::experimental::InterceptorBatchMethods *methods);
  void AskParent();
  void Attach(eown_context *context);
  // The status came.
  void End(grpc::experimental::InterceptorBatchMethods *methods);
  void Fail(eown_status status, const Received &trailers);
  void TellLoop(eown_claim claim, uint32_t attempts);
  bool Reached(eown_status status, const Received &trailers);
  bool HasConnection();
  void Record(eown_outcome *outcome);
  eown_edge_kind Pinned() const;
  void Count(eown_counter counter) const;

  Outbounds *outbounds_;
  grpc::ClientContext *client_;
  grpc::ChannelInterface *channel_;
  eown_context *context_ = nullptr; // a reference; null: none
  eown_retry_end *loop_; // of the application's, to be told; null: none
  const char *path_;     // behind this object: gRPC's may not outlive the start
  uint32_t path_length_;
  uint32_t started_ = 0;
  bool attached_ = false; // the application named the inbound
  bool repeats_ = false;  // the application's own retry
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_CLIENT_INTERCEPTOR_H
