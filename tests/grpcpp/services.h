// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_SERVICES_H
#define EOWN_TESTS_GRPCPP_SERVICES_H

#include "plan.h"

// The service in gRPC's two forms with handlers. Each reads what the client
// sends, relays, and answers.
class SyncService final : public eown::test::Probe::Service {
public:
  explicit SyncService(Plan *plan) : plan_(plan) {}

  grpc::Status Unary(grpc::ServerContext *context, const eown::test::Ask *,
                     eown::test::Answer *) override;
  grpc::Status
  Download(grpc::ServerContext *context, const eown::test::Ask *,
           grpc::ServerWriter<eown::test::Answer> *writer) override;
  grpc::Status Upload(grpc::ServerContext *context,
                      grpc::ServerReader<eown::test::Ask> *reader,
                      eown::test::Answer *) override;
  grpc::Status
  Chat(grpc::ServerContext *context,
       grpc::ServerReaderWriter<eown::test::Answer, eown::test::Ask> *stream)
      override;

private:
  Plan *plan_;
};

class CallbackService final : public eown::test::Probe::CallbackService {
public:
  explicit CallbackService(Plan *plan) : plan_(plan) {}

  grpc::ServerUnaryReactor *Unary(grpc::CallbackServerContext *context,
                                  const eown::test::Ask *,
                                  eown::test::Answer *) override;
  grpc::ServerWriteReactor<eown::test::Answer> *
  Download(grpc::CallbackServerContext *context,
           const eown::test::Ask *) override;
  grpc::ServerReadReactor<eown::test::Ask> *
  Upload(grpc::CallbackServerContext *context, eown::test::Answer *) override;
  grpc::ServerBidiReactor<eown::test::Ask, eown::test::Answer> *
  Chat(grpc::CallbackServerContext *context) override;

private:
  Plan *plan_;
};

// Any method, by bytes.
class GenericCallbackService final : public grpc::CallbackGenericService {
public:
  explicit GenericCallbackService(Plan *plan) : plan_(plan) {}

  grpc::ServerGenericBidiReactor *
  CreateReactor(grpc::GenericCallbackServerContext *context) override;

private:
  Plan *plan_;
};

#endif // EOWN_TESTS_GRPCPP_SERVICES_H
