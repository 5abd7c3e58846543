// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Async handlers and outbound calls, on a completion queue.
#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>

#include "form.h"
#include "inbound.h"
#include "queue.h"

namespace peer {
namespace {

using Stub = grpc::TemplatedGenericStub<CallRequest, CallReply>;
using Responder = grpc::ServerAsyncResponseWriter<CallReply>;

// Asks for the next call of a method.
using Await = std::function<void(grpc::ServerContext *, CallRequest *,
                                 Responder *, void *tag)>;

// One call from being waited for to its answer; it deletes itself.
class Serving {
public:
  static void AwaitOne(Node *node, Queue *queue, const Await &await) {
    auto *self = new Serving(node, queue, await);
    await(&self->context_, &self->request_, &self->responder_,
          Queue::Tag([self](bool ok) { self->Arrived(ok); }));
  }

private:
  Serving(Node *node, Queue *queue, const Await &await)
      : node_(node), queue_(queue), await_(await), responder_(&context_) {}

  void Arrived(bool ok) {
    if (!ok) { // the server shuts down
      delete this;
      return;
    }
    AwaitOne(node_, queue_, await_);
    inbound_ = std::make_unique<Inbound>(node_, &context_);
    Proceed();
  }

  // Calls the next callee, or answers where none is left.
  void Proceed() {
    calling_.reset(); // it lives in its call, which Next ends
    if (Outbound *outbound = inbound_->Next()) {
      inbound_->RunTied(false, [&] { Call(outbound); });
      return;
    }
    CallReply reply;
    grpc::Status status = inbound_->Answer(&reply);
    responder_.Finish(reply, status, Queue::Tag([this](bool) { delete this; }));
  }

  void Call(Outbound *outbound) {
    const Callee &callee = *outbound->callee;
    calling_ = Stub(callee.channel())
                   .PrepareUnaryCall(outbound->context.get(), callee.path(),
                                     request_, queue_->get());
    calling_->StartCall();
    calling_->Finish(&outbound->reply, &outbound->status,
                     Queue::Tag([this](bool) { Ended(); }));
  }

  void Ended() {
    const std::chrono::milliseconds wait = inbound_->Ended();
    if (wait.count() == 0)
      return Proceed();
    alarm_.Set(queue_->get(), std::chrono::system_clock::now() + wait,
               Queue::Tag([this](bool) { Proceed(); }));
  }

  Node *const node_;
  Queue *const queue_;
  const Await await_;
  grpc::ServerContext context_;
  CallRequest request_;
  Responder responder_;
  std::unique_ptr<Inbound> inbound_;
  std::unique_ptr<grpc::ClientAsyncResponseReader<CallReply>> calling_;
  grpc::Alarm alarm_;
};

class AsyncService : public NodeService::WithAsyncMethod_Call<StatsService> {
public:
  explicit AsyncService(Node *node) { set_node(node); }
};

class NamedAsyncService : public NamedService {
public:
  explicit NamedAsyncService(const std::string &path)
      : NamedService(path, nullptr) {
    MarkMethodAsync(0);
  }
  void RequestCall(grpc::ServerContext *context, CallRequest *request,
                   Responder *responder, grpc::CompletionQueue *queue,
                   grpc::ServerCompletionQueue *notified, void *tag) {
    RequestAsyncUnary(0, context, request, responder, queue, notified, tag);
  }
};

class AsyncForm : public Form {
public:
  explicit AsyncForm(Node *node)
      : node_(node), service_(node), named_(node->path()) {}

  void Register(grpc::ServerBuilder *builder) override {
    RegisterBoth(builder, &service_, &named_);
    queue_ = std::make_unique<Queue>(builder);
  }

  void Start() override {
    AwaitCalls(&service_);
    if (node_->path() != kNodePath)
      AwaitCalls(&named_);
    queue_->Start();
  }

  void Stop() override { queue_->Stop(); }

private:
  template <typename Service>
  void AwaitCalls(Service *service) {
    Serving::AwaitOne(
        node_, queue_.get(),
        [service, queue = queue_->get()](grpc::ServerContext *context,
                                         CallRequest *request,
                                         Responder *responder, void *tag) {
          service->RequestCall(context, request, responder, queue, queue, tag);
        });
  }

  Node *const node_;
  AsyncService service_;
  NamedAsyncService named_;
  std::unique_ptr<Queue> queue_;
};

} // namespace

std::unique_ptr<Form> MakeAsyncForm(Node *node) {
  return std::make_unique<AsyncForm>(node);
}

} // namespace peer
