// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "services.h"

#include "tsan.h"

using eown::test::Answer;
using eown::test::Ask;

// --- sync
// ---------------------------------------------------------------------

grpc::Status SyncService::Unary(grpc::ServerContext *context, const Ask *,
                                Answer *) {
  return Relay(plan_, context);
}

grpc::Status SyncService::Download(grpc::ServerContext *context, const Ask *,
                                   grpc::ServerWriter<Answer> *writer) {
  grpc::Status status = Relay(plan_, context);
  if (status.ok())
    writer->Write(Answer());
  return status;
}

grpc::Status SyncService::Upload(grpc::ServerContext *context,
                                 grpc::ServerReader<Ask> *reader, Answer *) {
  Ask ask;
  while (reader->Read(&ask)) {
  }
  return Relay(plan_, context);
}

grpc::Status SyncService::Chat(grpc::ServerContext *context,
                               grpc::ServerReaderWriter<Answer, Ask> *stream) {
  Ask ask;
  while (stream->Read(&ask)) {
  }
  grpc::Status status = Relay(plan_, context);
  if (status.ok())
    stream->Write(Answer());
  return status;
}

// --- callback
// -----------------------------------------------------------------

namespace {

// Answers once and then finishes.
class Downloader final : public grpc::ServerWriteReactor<Answer> {
public:
  void Answered(const grpc::Status &status) {
    if (status.ok())
      StartWriteAndFinish(&answer_, grpc::WriteOptions(), status);
    else
      Finish(status);
  }
  void OnDone() override { delete this; }

private:
  Answer answer_;
};

// Relays in a reaction: when the client has sent all.
class Uploader final : public grpc::ServerReadReactor<Ask> {
public:
  Uploader(Plan *plan, grpc::CallbackServerContext *context)
      : plan_(plan), context_(context) {
    TEST_RELEASE(this);
    StartRead(&ask_);
  }
  void OnReadDone(bool ok) override {
    TEST_ACQUIRE(this);
    if (ok)
      return StartRead(&ask_);
    RelayThen(plan_, context_, [this](grpc::Status s) { Finish(s); });
  }
  void OnDone() override { delete this; }

private:
  Plan *plan_;
  grpc::CallbackServerContext *context_;
  Ask ask_;
};

// An empty message of either kind.
template <typename T>
T Empty() {
  return T();
}
template <>
grpc::ByteBuffer Empty() {
  grpc::Slice slice;
  return grpc::ByteBuffer(&slice, 1);
}

template <typename Base, typename In, typename Out>
class Chatter final : public Base {
public:
  Chatter(Plan *plan, grpc::CallbackServerContext *context)
      : plan_(plan), context_(context) {
    TEST_RELEASE(this);
    this->StartRead(&in_);
  }
  void OnReadDone(bool ok) override {
    TEST_ACQUIRE(this);
    if (ok)
      return this->StartRead(&in_);
    RelayThen(plan_, context_, [this](grpc::Status s) { Answered(s); });
  }
  void OnDone() override { delete this; }

private:
  void Answered(const grpc::Status &status) {
    if (status.ok())
      this->StartWriteAndFinish(&out_, grpc::WriteOptions(), status);
    else
      this->Finish(status);
  }

  Plan *plan_;
  grpc::CallbackServerContext *context_;
  In in_;
  Out out_ = Empty<Out>();
};

} // namespace

grpc::ServerUnaryReactor *
CallbackService::Unary(grpc::CallbackServerContext *context, const Ask *,
                       Answer *) {
  TEST_ACQUIRE(&test_order);
  grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
  RelayThen(plan_, context,
            [reactor](grpc::Status status) { reactor->Finish(status); });
  return reactor;
}

grpc::ServerWriteReactor<Answer> *
CallbackService::Download(grpc::CallbackServerContext *context, const Ask *) {
  TEST_ACQUIRE(&test_order);
  auto *reactor = new Downloader;
  RelayThen(plan_, context,
            [reactor](grpc::Status status) { reactor->Answered(status); });
  return reactor;
}

grpc::ServerReadReactor<Ask> *
CallbackService::Upload(grpc::CallbackServerContext *context, Answer *) {
  TEST_ACQUIRE(&test_order);
  return new Uploader(plan_, context);
}

grpc::ServerBidiReactor<Ask, Answer> *
CallbackService::Chat(grpc::CallbackServerContext *context) {
  TEST_ACQUIRE(&test_order);
  return new Chatter<grpc::ServerBidiReactor<Ask, Answer>, Ask, Answer>(
      plan_, context);
}

grpc::ServerGenericBidiReactor *GenericCallbackService::CreateReactor(
    grpc::GenericCallbackServerContext *context) {
  TEST_ACQUIRE(&test_order);
  return new Chatter<grpc::ServerGenericBidiReactor, grpc::ByteBuffer,
                     grpc::ByteBuffer>(plan_, context);
}
