// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "queue.h"

#include "tsan.h"

namespace {

using eown::test::Answer;
using eown::test::Ask;

// One inbound call: gRPC brings its tag back after each step.
class Inbound {
public:
  virtual ~Inbound() = default;
  // Takes the next step; false when there is none left.
  virtual bool Step(Plan *plan) = 0;
};

class UnaryInbound final : public Inbound {
public:
  UnaryInbound(eown::test::Probe::AsyncService *service,
               grpc::ServerCompletionQueue *queue)
      : writer_(&context_) {
    TEST_RELEASE(this);
    service->RequestUnary(&context_, &ask_, &writer_, queue, queue,
                          static_cast<Inbound *>(this));
  }

  bool Step(Plan *plan) override {
    if (answered_)
      return false;
    answered_ = true;
    grpc::Status status = Relay(plan, &context_);
    TEST_RELEASE(this);
    writer_.Finish(Answer(), status, static_cast<Inbound *>(this));
    return true;
  }

private:
  grpc::ServerContext context_;
  Ask ask_;
  grpc::ServerAsyncResponseWriter<Answer> writer_;
  bool answered_ = false;
};

class GenericInbound final : public Inbound {
public:
  GenericInbound(grpc::AsyncGenericService *service,
                 grpc::ServerCompletionQueue *queue)
      : stream_(&context_) {
    TEST_RELEASE(this);
    service->RequestCall(&context_, &stream_, queue, queue,
                         static_cast<Inbound *>(this));
  }

  bool Step(Plan *plan) override {
    if (answered_)
      return false;
    answered_ = true;
    grpc::Status status = Relay(plan, &context_);
    TEST_RELEASE(this);
    if (status.ok())
      stream_.WriteAndFinish(grpc::ByteBuffer(&empty_, 1), {}, status,
                             static_cast<Inbound *>(this));
    else
      stream_.Finish(status, static_cast<Inbound *>(this));
    return true;
  }

private:
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::Slice empty_;
  bool answered_ = false;
};

} // namespace

void Queue::Wait() {
  if (service_ != nullptr)
    new UnaryInbound(service_, queue_.get());
  else
    new GenericInbound(generic_, queue_.get());
}

void Queue::Start() {
  Wait();
  thread_ = std::thread([this] { Serve(); });
}

void Queue::Serve() {
  void *tag;
  bool ok;
  while (queue_->Next(&tag, &ok)) {
    TEST_ACQUIRE(tag);
    auto *inbound = static_cast<Inbound *>(tag);
    int before = plan_->served;
    if (!ok || !inbound->Step(plan_))
      delete inbound;
    if (plan_->served != before)
      Wait();
  }
}

void Queue::Stop() {
  queue_->Shutdown();
  thread_.join();
}
