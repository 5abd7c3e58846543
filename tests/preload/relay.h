// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_PRELOAD_RELAY_H
#define EOWN_TESTS_PRELOAD_RELAY_H

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

// A service that hands every call on to one callee, and its error back. It
// knows nothing of eown.
namespace relay {

// The callee, called with one retry and waited for.
class Callee {
public:
  // "NAME=HOST:PORT"
  explicit Callee(const std::string &word);
  grpc::Status Call(grpc::ClientContext *context,
                    const grpc::ByteBuffer &request, grpc::ByteBuffer *reply);
  // The same without waiting; both buffers stay the caller's.
  void Start(grpc::ClientContext *context, const grpc::ByteBuffer *request,
             grpc::ByteBuffer *reply,
             std::function<void(const grpc::Status &)> ended);

private:
  std::string path_; // before the method, which keeps its pointer
  std::shared_ptr<grpc::Channel> channel_;
  grpc::internal::RpcMethod method_;
};

// How the service is written: what serves /NAME/Call.
class Form {
public:
  virtual ~Form() = default;
  virtual void Register(grpc::ServerBuilder *builder) = 0;
  virtual void Start() {}
  virtual void Stop() {}
};

// parent, plain, thread (sync services), callback-parent, callback-plain,
// async; null for any other name.
std::unique_ptr<Form> MakeForm(const std::string &form, const std::string &name,
                               Callee *callee);
std::unique_ptr<Form> MakeSync(const std::string &form, const std::string &name,
                               Callee *callee);
std::unique_ptr<Form> MakeCallback(const std::string &form,
                                   const std::string &name, Callee *callee);
std::unique_ptr<Form> MakeAsync(const std::string &name, Callee *callee);

} // namespace relay

#endif // EOWN_TESTS_PRELOAD_RELAY_H
