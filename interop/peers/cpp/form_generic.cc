// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The generic service and stub: bytes in and out, whatever the method.
#include <grpcpp/alarm.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>

#include "form.h"
#include "inbound.h"
#include "queue.h"

namespace peer {
namespace {

using Bytes = grpc::ByteBuffer;

template <typename Message>
bool FromBytes(Bytes bytes, Message *message) {
  return grpc::SerializationTraits<Message>::Deserialize(&bytes, message).ok();
}

template <typename Message>
Bytes ToBytes(const Message &message) {
  Bytes bytes;
  bool own;
  grpc::SerializationTraits<Message>::Serialize(message, &bytes, &own);
  return bytes;
}

// An outbound call: started, its one message written, the reply read, its
// status taken.
class Calling {
public:
  Calling(Outbound *outbound, const Bytes &request, Queue *queue,
          std::function<void()> ended)
      : outbound_(outbound), request_(request), ended_(std::move(ended)),
        stream_(grpc::GenericStub(outbound->callee->channel())
                    .PrepareCall(outbound->context.get(),
                                 outbound->callee->path(), queue->get())) {}

  // From here on it may end at any time, and with it this.
  void Start() {
    stream_->StartCall(Next(&Calling::Write));
  } // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the queue has the tag

private:
  // The tag of a step: where it went well, `then` follows, else the status.
  void *Next(void (Calling::*then)()) {
    return Queue::Tag(
        [this, then](bool ok) { ok ? (this->*then)() : TakeStatus(); });
  }

  void Write() {
    stream_->Write(request_, grpc::WriteOptions().set_last_message(),
                   Next(&Calling::Read));
  }
  void Read() { stream_->Read(&reply_, Next(&Calling::TakeStatus)); }
  void TakeStatus() {
    stream_->Finish(&outbound_->status, Queue::Tag([this](bool) { End(); }));
  }

  void End() {
    if (outbound_->status.ok())
      FromBytes(reply_, &outbound_->reply);
    std::function<void()> ended = std::move(ended_); // may end this
    ended();
  }

  Outbound *const outbound_;
  const Bytes request_;
  Bytes reply_;
  std::function<void()> ended_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
};

// One call from being waited for to its answer; it deletes itself.
class Serving {
public:
  static void AwaitOne(Node *node, grpc::AsyncGenericService *service,
                       Queue *queue) {
    auto *self = new Serving(node, service, queue);
    service->RequestCall(&self->context_, &self->stream_, queue->get(),
                         queue->get(),
                         Queue::Tag([self](bool ok) { self->Arrived(ok); }));
  }

private:
  Serving(Node *node, grpc::AsyncGenericService *service, Queue *queue)
      : node_(node), service_(service), queue_(queue), stream_(&context_) {}

  void Arrived(bool ok) {
    if (!ok) { // the server shuts down
      delete this;
      return;
    }
    AwaitOne(node_, service_, queue_);
    if (context_.method() != node_->path() && context_.method() != kNodePath)
      Finish({grpc::StatusCode::UNIMPLEMENTED, "unknown method"});
    else
      stream_.Read(&request_, Queue::Tag([this](bool) { Received(); }));
  }

  void Received() {
    CallRequest request; // to see that it is one
    if (!FromBytes(request_, &request)) {
      Finish({grpc::StatusCode::INVALID_ARGUMENT,
              "the request is not a CallRequest"});
      return;
    }
    inbound_ = std::make_unique<Inbound>(node_, &context_);
    Proceed();
  }

  // Calls the next callee, or answers where none is left.
  void Proceed() {
    calling_.reset(); // it lives in its call, which Next ends
    if (Outbound *outbound = inbound_->Next()) {
      inbound_->RunTied(false, [&] {
        calling_ = std::make_unique<Calling>(outbound, request_, queue_,
                                             [this] { Ended(); });
        calling_->Start();
      });
      return;
    }
    CallReply reply;
    grpc::Status status = inbound_->Answer(&reply);
    if (status.ok())
      stream_.WriteAndFinish(ToBytes(reply), grpc::WriteOptions(), status,
                             Deleted());
    else
      Finish(status);
  }

  void Ended() {
    const std::chrono::milliseconds wait = inbound_->Ended();
    if (wait.count() == 0)
      return Proceed();
    alarm_.Set(queue_->get(), std::chrono::system_clock::now() + wait,
               Queue::Tag([this](bool) { Proceed(); }));
  }

  void Finish(const grpc::Status &status) { stream_.Finish(status, Deleted()); }
  void *Deleted() {
    return Queue::Tag([this](bool) { delete this; });
  }

  Node *const node_;
  grpc::AsyncGenericService *const service_;
  Queue *const queue_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  Bytes request_;
  std::unique_ptr<Inbound> inbound_;
  std::unique_ptr<Calling> calling_;
  grpc::Alarm alarm_;
};

// Stats alone: Call goes to the generic service.
class GenericCall : public NodeService::WithGenericMethod_Call<StatsService> {
public:
  explicit GenericCall(Node *node) { set_node(node); }
};

class GenericForm : public Form {
public:
  explicit GenericForm(Node *node) : node_(node), stats_(node) {}

  void Register(grpc::ServerBuilder *builder) override {
    builder->RegisterService(&stats_);
    builder->RegisterAsyncGenericService(&service_);
    queue_ = std::make_unique<Queue>(builder);
  }
  void Start() override {
    Serving::AwaitOne(node_, &service_, queue_.get());
    queue_->Start();
  }
  void Stop() override { queue_->Stop(); }

private:
  Node *const node_;
  GenericCall stats_;
  grpc::AsyncGenericService service_;
  std::unique_ptr<Queue> queue_;
};

} // namespace

std::unique_ptr<Form> MakeGenericForm(Node *node) {
  return std::make_unique<GenericForm>(node);
}

} // namespace peer
