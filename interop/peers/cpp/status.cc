// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <utility>

#include <strings.h>

namespace peer {
namespace {

using grpc::StatusCode;

const std::pair<StatusCode, const char *> kNames[] = {
    {StatusCode::OK, "OK"},
    {StatusCode::CANCELLED, "CANCELLED"},
    {StatusCode::UNKNOWN, "UNKNOWN"},
    {StatusCode::INVALID_ARGUMENT, "INVALID_ARGUMENT"},
    {StatusCode::DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"},
    {StatusCode::NOT_FOUND, "NOT_FOUND"},
    {StatusCode::ALREADY_EXISTS, "ALREADY_EXISTS"},
    {StatusCode::PERMISSION_DENIED, "PERMISSION_DENIED"},
    {StatusCode::RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"},
    {StatusCode::FAILED_PRECONDITION, "FAILED_PRECONDITION"},
    {StatusCode::ABORTED, "ABORTED"},
    {StatusCode::OUT_OF_RANGE, "OUT_OF_RANGE"},
    {StatusCode::UNIMPLEMENTED, "UNIMPLEMENTED"},
    {StatusCode::INTERNAL, "INTERNAL"},
    {StatusCode::UNAVAILABLE, "UNAVAILABLE"},
    {StatusCode::DATA_LOSS, "DATA_LOSS"},
    {StatusCode::UNAUTHENTICATED, "UNAUTHENTICATED"},
};

} // namespace

std::optional<StatusCode> StatusNamed(const std::string &name) {
  for (const auto &[status, text] : kNames)
    if (strcasecmp(name.c_str(), text) == 0)
      return status;
  return std::nullopt;
}

std::string NameOf(StatusCode status) {
  for (const auto &[known, text] : kNames)
    if (known == status)
      return text;
  return "UNKNOWN";
}

std::vector<StatusCode> Faults() {
  return {StatusCode::UNKNOWN,
          StatusCode::DEADLINE_EXCEEDED,
          StatusCode::RESOURCE_EXHAUSTED,
          StatusCode::ABORTED,
          StatusCode::INTERNAL,
          StatusCode::UNAVAILABLE,
          StatusCode::DATA_LOSS};
}

} // namespace peer
