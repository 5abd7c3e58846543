// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "form.h"

namespace peer {

grpc::Status StatsService::Stats(grpc::ServerContext *,
                                 const eown::interop::v1::StatsRequest *request,
                                 eown::interop::v1::StatsReply *reply) {
  reply->set_json(node_->Counts("stats"));
  if (request->reset())
    node_->ResetCounts();
  return grpc::Status::OK;
}

void RegisterBoth(grpc::ServerBuilder *builder, StatsService *service,
                  NamedService *named) {
  builder->RegisterService(service);
  if (service->node()->path() != kNodePath)
    builder->RegisterService(named);
}

} // namespace peer
