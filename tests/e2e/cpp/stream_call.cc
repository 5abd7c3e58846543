// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "stream_call.h"

#include <utility>

namespace e2e {
namespace {

using Ended = std::function<void(const grpc::Status &)>;

class Down : public grpc::ClientReadReactor<Word> {
public:
  Down(Streams::Stub *stub, grpc::ClientContext *context, Ended ended)
      : ended_(std::move(ended)) {
    stub->async()->Down(context, &word_, this);
    StartRead(&word_);
    StartCall();
  }
  void OnReadDone(bool ok) override {
    if (ok)
      StartRead(&word_);
  }
  void OnDone(const grpc::Status &status) override {
    ended_(status);
    delete this;
  }

private:
  const Ended ended_;
  Word word_;
};

class Up : public grpc::ClientWriteReactor<Word> {
public:
  Up(Streams::Stub *stub, grpc::ClientContext *context, Ended ended)
      : ended_(std::move(ended)) {
    stub->async()->Up(context, &reply_, this);
    StartWriteLast(&word_, grpc::WriteOptions());
    StartCall();
  }
  void OnDone(const grpc::Status &status) override {
    ended_(status);
    delete this;
  }

private:
  const Ended ended_;
  Word word_, reply_;
};

class Both : public grpc::ClientBidiReactor<Word, Word> {
public:
  Both(Streams::Stub *stub, grpc::ClientContext *context, Ended ended)
      : ended_(std::move(ended)) {
    stub->async()->Both(context, this);
    StartWriteLast(&word_, grpc::WriteOptions());
    StartRead(&reply_);
    StartCall();
  }
  void OnReadDone(bool ok) override {
    if (ok)
      StartRead(&reply_);
  }
  void OnDone(const grpc::Status &status) override {
    ended_(status);
    delete this;
  }

private:
  const Ended ended_;
  Word word_, reply_;
};

} // namespace

void StartStream(Kind kind, Streams::Stub *stub, grpc::ClientContext *context,
                 Ended ended) {
  switch (kind) {
  case Kind::kDown:
    new Down(stub, context, std::move(ended));
    break;
  case Kind::kUp:
    new Up(stub, context, std::move(ended));
    break;
  case Kind::kBoth:
    new Both(stub, context, std::move(ended));
    break;
  }
}

} // namespace e2e
