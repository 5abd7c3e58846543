// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <charconv>
#include <sstream>

#include "status.h"

namespace peer {
namespace {

constexpr size_t kNameMax = 63;
constexpr char kNameBytes[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

// The whole text as a number.
template <typename T>
std::optional<T> Parse(const std::string &text) {
  T number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || text.empty())
    return std::nullopt;
  return number;
}

bool IsAddress(const std::string &text, uint64_t lowest_port) {
  size_t colon = text.rfind(':');
  return colon != std::string::npos && colon > 0 &&
         ReadNumber(text.substr(colon + 1), lowest_port, 65535).has_value();
}

} // namespace

std::optional<uint64_t> ReadNumber(const std::string &text, uint64_t least,
                                   uint64_t most) {
  std::optional<uint64_t> number = Parse<uint64_t>(text);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<double> ReadRate(const std::string &text) {
  std::optional<double> rate = Parse<double>(text);
  return rate && *rate >= 0 && *rate <= 1 ? rate : std::nullopt;
}

std::optional<std::string> ReadName(const std::string &text) {
  bool good = !text.empty() && text.size() <= kNameMax &&
              text.find_first_not_of(kNameBytes) == std::string::npos;
  return good ? std::make_optional(text) : std::nullopt;
}

std::optional<std::string> ReadAddress(const std::string &text) {
  return IsAddress(text, 0) ? std::make_optional(text) : std::nullopt;
}

std::optional<CalleeOption> ReadCallee(const std::string &text) {
  size_t equals = text.find('=');
  if (equals == std::string::npos || !ReadName(text.substr(0, equals)))
    return std::nullopt;
  CalleeOption callee;
  callee.name = text.substr(0, equals);
  size_t comma = text.find(',', equals);
  callee.target = text.substr(equals + 1, comma - equals - 1);
  callee.fail_open = comma != std::string::npos;
  if (callee.fail_open && text.substr(comma) != ",fail-open")
    return std::nullopt;
  return IsAddress(callee.target, 1) ? std::make_optional(callee)
                                     : std::nullopt;
}

std::optional<grpc::StatusCode> ReadStatus(const std::string &text) {
  std::optional<grpc::StatusCode> status = StatusNamed(text);
  return status != grpc::StatusCode::OK ? status : std::nullopt;
}

std::optional<std::vector<grpc::StatusCode>>
ReadStatuses(const std::string &text) {
  std::vector<grpc::StatusCode> statuses;
  std::istringstream rest(text);
  for (std::string name; std::getline(rest, name, ',');) {
    std::optional<grpc::StatusCode> status = ReadStatus(name);
    if (!status)
      return std::nullopt;
    statuses.push_back(*status);
  }
  bool good = !statuses.empty() && text.back() != ',';
  return good ? std::make_optional(statuses) : std::nullopt;
}

} // namespace peer
