// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "ties.h"

#include "places.h"

namespace eown::grpcpp {
namespace {

Places<eown_context> places;

} // namespace

Tie Publish(grpc_call *call, eown_context *context) {
  Tie tie;
  census_context *taken = grpc_census_call_get_context(call);
  if (taken == nullptr) {
    grpc_census_call_set_context(call,
                                 reinterpret_cast<census_context *>(context));
  } else {
    tie.place = places.Insert(taken, context);
  }
  return tie;
}

void Withdraw(const Tie &tie) {
  if (tie.place != nullptr)
    places.Remove(static_cast<Places<eown_context>::Place *>(tie.place));
}

eown_context *Find(const void *census) {
  if (census == nullptr)
    return nullptr;
  return eown_context_is_context(census)
             ? static_cast<eown_context *>(const_cast<void *>(census))
             : places.Find(census);
}

} // namespace eown::grpcpp
