// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef PEER_CPP_VALUES_H
#define PEER_CPP_VALUES_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options.h"

// The values of options, from text; nothing where the text is none.
namespace peer {

std::optional<std::string> ReadName(const std::string &text);
std::optional<std::string> ReadAddress(const std::string &text);
std::optional<CalleeOption> ReadCallee(const std::string &text);
std::optional<double> ReadRate(const std::string &text);
std::optional<uint64_t> ReadNumber(const std::string &text, uint64_t least,
                                   uint64_t most);
std::optional<grpc::StatusCode> ReadStatus(const std::string &text);
std::optional<std::vector<grpc::StatusCode>>
ReadStatuses(const std::string &text);

template <typename T>
using Choices = std::vector<std::pair<std::string, T>>;

template <typename T>
std::optional<T> Choose(const Choices<T> &choices, const std::string &text) {
  for (const auto &[name, value] : choices)
    if (name == text)
      return value;
  return std::nullopt;
}

} // namespace peer

#endif // PEER_CPP_VALUES_H
