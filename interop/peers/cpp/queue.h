// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_QUEUE_H
#define PEER_CPP_QUEUE_H

#include <functional>
#include <memory>
#include <thread>

#include <grpcpp/grpcpp.h>

namespace peer {

// A completion queue and the thread that waits on it: one, so that what an
// operation's end runs never runs beside what started it. What is to be run
// when an operation is done is its tag.
class Queue {
public:
  using Done = std::function<void(bool ok)>;

  // Made with the server.
  explicit Queue(grpc::ServerBuilder *builder)
      : queue_(builder->AddCompletionQueue()) {}

  grpc::ServerCompletionQueue *get() { return queue_.get(); }
  static void *Tag(Done done) { return new Done(std::move(done)); }

  void Start() {
    thread_ = std::thread([this] { Run(); });
  }

  // Only when the server has shut down: nothing may be added from now on.
  void Stop() {
    queue_->Shutdown();
    thread_.join();
  }

private:
  void Run() {
    void *tag;
    bool ok;
    while (queue_->Next(&tag, &ok))
      (*std::unique_ptr<Done>(static_cast<Done *>(tag)))(ok);
  }

  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::thread thread_;
};

} // namespace peer

#endif // PEER_CPP_QUEUE_H
