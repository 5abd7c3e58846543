// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "loops.h"

#include "eown/grpcpp.hpp"
#include "order.h"
#include "places.h"

namespace eown::grpcpp {
namespace {

using Loops = Places<eown_retry_end>;
Loops loops;

} // namespace

eown_retry_end *FindLoop(const grpc::ClientContext *client) {
  eown_retry_end *loop = loops.Find(client);
  if (loop != nullptr)
    TakeOver(loop);
  return loop;
}

namespace internal {

void *Watch(const grpc::ClientContext *client, eown_retry_end *seen) {
  HandOver(seen);
  return loops.Insert(client, seen);
}

void Unwatch(void *place) {
  if (place != nullptr)
    Loops::Remove(static_cast<Loops::Place *>(place));
}

void InterceptorLoop::Read(const grpc::ClientContext *, eown_retry_end *end) {
  Unwatch(place_);
  place_ = nullptr;
  TakeOver(&seen_);
  if (!seen_.seen)
    return;
  end->seen = true;
  end->mode = seen_.mode;
  end->seen_claim = seen_.seen_claim;
  end->method = seen_.method;
  end->method_length = seen_.method_length;
  end->budget = seen_.budget;
  end->chain_stop = seen_.chain_stop;
  end->attempts = seen_.attempts;
}

} // namespace internal
} // namespace eown::grpcpp
