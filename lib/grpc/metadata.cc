// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "metadata.h"

#include "eown/counters.h"

namespace eown {

namespace {

using grpc_core::Slice;

// Visits the metadata that gRPC itself does not know, where eown's keys are.
template <typename Visit>
void ForEachUnknown(const grpc_metadata_batch &metadata, Visit visit) {
  for (const auto &entry : UnknownIn(metadata))
    visit(entry.first.as_string_view(), entry.second.as_string_view());
}

bool IsAlias(absl::string_view key, const char *alias) {
  return alias[0] != '\0' && key == alias;
}

// Says which of eown's keys this is; most keys fall at the first comparison.
void Note(absl::string_view key, const char *alias, FoundKeys *found) {
  if (IsAlias(key, alias))
    found->alias = true;
  if (!absl::StartsWith(key, EOWN_CLAIM_KEY))
    return;
  if (key == EOWN_CLAIM_KEY)
    found->claim = true;
  else if (key == EOWN_CLAIM_DETAIL_KEY)
    found->detail = true;
  else if (key == EOWN_RETRY_MARK_KEY)
    found->mark = true;
}

void Feed(absl::string_view key, absl::string_view value, const char *alias,
          eown_claim_reader *reader) {
  if (key == EOWN_CLAIM_KEY)
    eown_claim_reader_feed(reader, false, value.data(), value.size());
  else if (IsAlias(key, alias))
    eown_claim_reader_feed(reader, true, value.data(), value.size());
}

void Count(eown_counter counter, absl::string_view path) {
  eown_count_method(counter, path.data(), static_cast<uint32_t>(path.size()));
}

void Ignore(absl::string_view, const Slice &) {}

} // namespace

eown_claim ReadClaim(const grpc_metadata_batch &metadata, const char *alias,
                     absl::string_view path, FoundKeys *found) {
  eown_claim_reader reader = {};
  ForEachUnknown(metadata, [&](absl::string_view key, absl::string_view value) {
    Note(key, alias, found);
    Feed(key, value, alias, &reader);
  });
  bool malformed;
  eown_claim claim = eown_claim_reader_result(&reader, &malformed);
  if (malformed)
    Count(EOWN_COUNTER_malformed_claim, path);
  return claim;
}

absl::string_view FindDetail(const grpc_metadata_batch &metadata,
                             absl::string_view path) {
  absl::string_view bytes;
  int details = 0;
  ForEachUnknown(metadata, [&](absl::string_view key, absl::string_view value) {
    if (key != EOWN_CLAIM_DETAIL_KEY)
      return;
    bytes = value;
    details++;
  });
  if (details <= 1)
    return bytes;
  Count(EOWN_COUNTER_malformed_detail, path);
  return absl::string_view();
}

FoundKeys FindKeysAmong(const grpc_metadata_batch &metadata,
                        const char *alias) {
  FoundKeys found;
  ForEachUnknown(metadata, [&](absl::string_view key, absl::string_view value) {
    Note(key, alias, &found);
    if (key == EOWN_RETRY_MARK_KEY && value == EOWN_RETRY_MARK_VALUE)
      found.marked = true;
  });
  return found;
}

ABSL_ATTRIBUTE_NOINLINE void RemoveClaim(const FoundKeys &found,
                                         const char *alias,
                                         grpc_metadata_batch *metadata) {
  if (found.claim)
    metadata->Remove(EOWN_CLAIM_KEY);
  if (found.detail)
    metadata->Remove(EOWN_CLAIM_DETAIL_KEY);
  if (found.alias)
    metadata->Remove(alias);
}

void WriteClaim(eown_claim claim, const eown_claim_detail *detail,
                const char *alias, grpc_metadata_batch *metadata) {
  const char *name = eown_claim_name(claim);
  metadata->Append(EOWN_CLAIM_KEY, Slice::FromStaticString(name), Ignore);
  if (alias[0] != '\0')
    metadata->Append(alias, Slice::FromStaticString(name), Ignore);
  if (detail == nullptr)
    return;
  uint8_t bytes[EOWN_CLAIM_DETAIL_MAX];
  size_t size = eown_claim_detail_encode(detail, bytes, sizeof(bytes));
  if (size > 0)
    metadata->Append(
        EOWN_CLAIM_DETAIL_KEY,
        Slice::FromCopiedBuffer(reinterpret_cast<const char *>(bytes), size),
        Ignore);
}

ABSL_ATTRIBUTE_NOINLINE void RemoveForwarded(const char *alias,
                                             grpc_metadata_batch *metadata) {
  const FoundKeys found = FindKeys(*metadata, alias);
  RemoveClaim(found, alias, metadata);
  if (found.mark)
    metadata->Remove(EOWN_RETRY_MARK_KEY);
}

ABSL_ATTRIBUTE_NOINLINE void WriteMark(grpc_metadata_batch *metadata) {
  if (FindKeys(*metadata, "").mark)
    metadata->Remove(EOWN_RETRY_MARK_KEY);
  metadata->Append(EOWN_RETRY_MARK_KEY,
                   Slice::FromStaticString(EOWN_RETRY_MARK_VALUE), Ignore);
}

grpc_status_code StatusOf(const grpc_metadata_batch &metadata,
                          const grpc_error_handle &error,
                          grpc_core::Timestamp deadline) {
  if (error.ok())
    return metadata.get(grpc_core::GrpcStatusMetadata())
        .value_or(GRPC_STATUS_UNKNOWN);
  grpc_status_code status = GRPC_STATUS_UNKNOWN;
  grpc_error_get_status(error, deadline, &status, nullptr, nullptr, nullptr);
  return status;
}

} // namespace eown
