// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_QUEUE_H
#define EOWN_TESTS_GRPCPP_QUEUE_H

#include <grpcpp/generic/async_generic_service.h>

#include <thread>

#include "plan.h"

// A server's completion queue with one thread, which serves Unary of `service`,
// or any method of `generic`: one of the two is null.
class Queue {
public:
  Queue(Plan *plan, eown::test::Probe::AsyncService *service,
        grpc::AsyncGenericService *generic,
        std::unique_ptr<grpc::ServerCompletionQueue> queue)
      : plan_(plan), service_(service), generic_(generic),
        queue_(std::move(queue)) {}
  // Starts to serve; the server must be running.
  void Start();
  // Ends when all calls have; the server must have been shut down.
  void Stop();

private:
  void Serve();
  void Wait();

  Plan *plan_;
  eown::test::Probe::AsyncService *service_;
  grpc::AsyncGenericService *generic_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::thread thread_;
};

#endif // EOWN_TESTS_GRPCPP_QUEUE_H
