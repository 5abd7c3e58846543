// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "relay.h"

namespace relay {
namespace {

using Bytes = grpc::ByteBuffer;
using Step = std::function<void(bool)>;

// One thread takes all events. Each tag is a Step, which ends with its event.
class AsyncForm : public Form {
public:
  explicit AsyncForm(Callee *callee) : callee_(callee) {}
  void Register(grpc::ServerBuilder *builder) override {
    builder->RegisterAsyncGenericService(&service_);
    queue_ = builder->AddCompletionQueue();
  }
  void Start() override {
    Await();
    thread_ = std::thread([this] { Work(); });
  }
  void Stop() override {
    queue_->Shutdown();
    thread_.join();
  }

private:
  struct Inbound {
    grpc::GenericServerContext context;
    grpc::GenericServerAsyncReaderWriter stream{&context};
    Bytes request;
  };

  void Work() {
    void *tag;
    bool ok;
    while (queue_->Next(&tag, &ok)) {
      std::unique_ptr<Step> step(static_cast<Step *>(tag));
      (*step)(ok);
    }
  }

  void Await() {
    auto inbound = std::make_shared<Inbound>();
    service_.RequestCall(&inbound->context, &inbound->stream, queue_.get(),
                         queue_.get(), new Step([this, inbound](bool ok) {
                           if (ok)
                             Read(inbound);
                         }));
  }

  void Read(std::shared_ptr<Inbound> inbound) {
    Await();
    inbound->stream.Read(&inbound->request,
                         new Step([this, inbound](bool) { Answer(inbound); }));
  }

  void Answer(std::shared_ptr<Inbound> inbound) {
    grpc::ClientContext outbound;
    Bytes reply;
    grpc::Status status = callee_->Call(&outbound, inbound->request, &reply);
    auto *end = new Step([inbound](bool) {});
    if (status.ok())
      inbound->stream.WriteAndFinish(reply, grpc::WriteOptions(), status, end);
    else
      inbound->stream.Finish(status, end);
  }

  Callee *const callee_;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::thread thread_;
};

} // namespace

std::unique_ptr<Form> MakeAsync(const std::string &, Callee *callee) {
  return std::make_unique<AsyncForm>(callee);
}

} // namespace relay
