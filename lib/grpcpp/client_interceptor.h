// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_CLIENT_INTERCEPTOR_H
#define EOWN_GRPCPP_CLIENT_INTERCEPTOR_H

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_interceptor.h>
#include <grpcpp/support/interceptor.h>

#include "eown/context.h"
#include "eown/counters.h"
#include "metadata.h"
#include "options.h"
#include "policies.h"

namespace eown::grpcpp {

// What the calls of one channel have in common.
struct Outbounds {
  explicit Outbounds(const grpc::ChannelArguments &arguments)
      : options(arguments), policies(arguments) {}
  const Options options;
  Policies policies;
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
  bool Reached(eown_status status, const Received &trailers);
  bool HasConnection();
  void Record(eown_outcome *outcome);
  eown_edge_kind Pinned() const;
  void Count(eown_counter counter) const;

  Outbounds *outbounds_;
  grpc::ClientContext *client_;
  grpc::ChannelInterface *channel_;
  eown_context *context_ = nullptr; // a reference; null: none
  const char *path_; // behind this object: gRPC's may not outlive the start
  uint32_t path_length_;
  uint32_t started_ = 0;
  bool attached_ = false; // the application named the inbound
  bool repeats_ = false;  // the application's own retry
};

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_CLIENT_INTERCEPTOR_H
