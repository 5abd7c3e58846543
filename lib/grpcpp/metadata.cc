// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "metadata.h"

#include <string.h>

#include "eown/counters.h"

namespace eown::grpcpp {
namespace {

constexpr char kPushbackKey[] = "grpc-retry-pushback-ms";
constexpr char kPreviousAttemptsKey[] = "grpc-previous-rpc-attempts";

template <typename Map>
bool Remove(const char *alias, Map *metadata) {
  size_t removed = metadata->erase(EOWN_CLAIM_KEY);
  removed += metadata->erase(EOWN_CLAIM_DETAIL_KEY);
  if (alias[0] != '\0')
    removed += metadata->erase(alias);
  return removed > 0;
}

// gRPC writes how many attempts came before: digits, and more than none.
bool IsPositive(const grpc::string_ref &number) {
  bool positive = false;
  for (char c : number) {
    if (c < '0' || c > '9')
      return false;
    positive |= c != '0';
  }
  return positive;
}

void Feed(const Received &metadata, const char *key, bool alias,
          eown_claim_reader *reader) {
  auto range = metadata.equal_range(key);
  for (auto it = range.first; it != range.second; ++it)
    eown_claim_reader_feed(reader, alias, it->second.data(), it->second.size());
}

void Count(eown_counter counter, const char *path) {
  eown_count_method(counter, path, static_cast<uint32_t>(strlen(path)));
}

// The detail counts only where it came once.
void ReadDetail(const Received &metadata, const char *path, Word *word) {
  auto range = metadata.equal_range(EOWN_CLAIM_DETAIL_KEY);
  if (range.first == range.second)
    return;
  const grpc::string_ref &bytes = range.first->second;
  word->any = true;
  word->has_detail =
      std::next(range.first) == range.second &&
      eown_claim_detail_decode(reinterpret_cast<const uint8_t *>(bytes.data()),
                               bytes.size(), &word->detail);
  if (!word->has_detail)
    Count(EOWN_COUNTER_malformed_detail, path);
}

} // namespace

bool RemoveClaim(const char *alias, Received *metadata) {
  return Remove(alias, metadata);
}

bool RemoveClaim(const char *alias, Sent *metadata) {
  return Remove(alias, metadata);
}

bool IsMarkedRetry(const Received &metadata) {
  auto range = metadata.equal_range(EOWN_RETRY_MARK_KEY);
  bool marked = false;
  for (auto it = range.first; it != range.second; ++it)
    marked |= it->second == EOWN_RETRY_MARK_VALUE;
  if (range.first != range.second && !marked)
    eown_count(EOWN_COUNTER_malformed_mark);
  auto previous = metadata.find(kPreviousAttemptsKey);
  return marked || (previous != metadata.end() && IsPositive(previous->second));
}

void RemoveMark(Received *metadata) { metadata->erase(EOWN_RETRY_MARK_KEY); }

void RemoveForwarded(const char *alias, Sent *metadata) {
  Remove(alias, metadata);
  metadata->erase(EOWN_RETRY_MARK_KEY);
}

void WriteMark(Sent *metadata) {
  metadata->erase(EOWN_RETRY_MARK_KEY);
  metadata->emplace(EOWN_RETRY_MARK_KEY, EOWN_RETRY_MARK_VALUE);
}

Word ReadClaim(const Received &metadata, const char *alias, const char *path) {
  Word word;
  eown_claim_reader reader = {};
  Feed(metadata, EOWN_CLAIM_KEY, false, &reader);
  if (alias[0] != '\0')
    Feed(metadata, alias, true, &reader);
  word.any = reader.primary_values + reader.alias_values > 0;
  bool malformed;
  word.claim = eown_claim_reader_result(&reader, &malformed);
  if (malformed)
    Count(EOWN_COUNTER_malformed_claim, path);
  ReadDetail(metadata, path, &word);
  return word;
}

void WriteClaim(eown_claim claim, const eown_claim_detail &detail,
                const char *alias, Sent *metadata) {
  const char *name = eown_claim_name(claim);
  metadata->emplace(EOWN_CLAIM_KEY, name);
  if (alias[0] != '\0')
    metadata->emplace(alias, name);
  uint8_t bytes[EOWN_CLAIM_DETAIL_MAX];
  size_t size = eown_claim_detail_encode(&detail, bytes, sizeof(bytes));
  if (size > 0)
    metadata->emplace(EOWN_CLAIM_DETAIL_KEY,
                      std::string(reinterpret_cast<char *>(bytes), size));
}

void RemoveStop(Sent *metadata) {
  auto range = metadata->equal_range(kPushbackKey);
  for (auto it = range.first; it != range.second;)
    it = it->second.compare(0, 1, "-") == 0 ? metadata->erase(it) : ++it;
}

void WriteStop(Sent *metadata) {
  metadata->erase(kPushbackKey);
  metadata->emplace(kPushbackKey, "-1");
}

} // namespace eown::grpcpp
