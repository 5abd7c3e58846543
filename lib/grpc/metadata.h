// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_METADATA_H
#define EOWN_GRPC_METADATA_H

#include "compat.h"
#include "eown/claim.h"
#include "eown/settings.h"

namespace eown {

// gRPC keeps what it does not know apart, and visits it only after all that it
// knows.
template <typename Derived, typename... Traits>
grpc_core::MetadataMap<Derived, Traits...>
BaseOf(const grpc_core::MetadataMap<Derived, Traits...> &);
using Base = decltype(BaseOf(std::declval<const grpc_metadata_batch &>()));
struct UnknownTag {
  using type = grpc_core::metadata_detail::UnknownMap Base::*;
  friend type Reach(UnknownTag);
};
template struct Access<UnknownTag, &Base::unknown_>;

inline const auto &UnknownIn(const grpc_metadata_batch &metadata) {
  return metadata.*Reach(UnknownTag());
}

// What a request says of the call's earlier attempts.
inline uint32_t PreviousAttempts(const grpc_metadata_batch &metadata) {
  return metadata.get(grpc_core::GrpcPreviousRpcAttemptsMetadata()).value_or(0);
}

// What a set of metadata holds under eown's keys, found in one pass.
struct FoundKeys {
  bool claim = false;
  bool alias = false;
  bool detail = false;
  bool mark = false;
  bool marked = false; // with the one value that is known
  bool any_claim() const { return claim || alias || detail; }
};

// Reads the claim out of received trailing metadata, counting what is malformed
// against `path`.
eown_claim ReadClaim(const grpc_metadata_batch &metadata, const char *alias,
                     absl::string_view path, FoundKeys *found);

// Finds the claim's detail, as it came; null where none came. Several are
// counted against `path` and taken for none.
absl::string_view FindDetail(const grpc_metadata_batch &metadata,
                             absl::string_view path);

// Looks for eown's keys.
FoundKeys FindKeysAmong(const grpc_metadata_batch &metadata, const char *alias);
inline FoundKeys FindKeys(const grpc_metadata_batch &metadata,
                          const char *alias) {
  return UnknownIn(metadata).empty() ? FoundKeys()
                                     : FindKeysAmong(metadata, alias);
}

// Removes the claim keys that were found.
void RemoveClaim(const FoundKeys &found, const char *alias,
                 grpc_metadata_batch *metadata);

// Writes a claim and its detail (null: none), under the alias as well.
void WriteClaim(eown_claim claim, const eown_claim_detail *detail,
                const char *alias, grpc_metadata_batch *metadata);

// Removes from a request what the application set or forwarded under eown's
// keys.
void RemoveForwarded(const char *alias, grpc_metadata_batch *metadata);

// Writes the retry mark, once, whoever else did.
void WriteMark(grpc_metadata_batch *metadata);

// Whether a call or attempt ended with OK: what StatusOf says, where that is
// all that one asks.
inline bool EndedWell(const grpc_metadata_batch &metadata,
                      const grpc_error_handle &error) {
  return error.ok() && metadata.get(grpc_core::GrpcStatusMetadata()) ==
                           absl::make_optional(GRPC_STATUS_OK);
}

// The status a call or attempt ended with, as gRPC's retry filter reads it.
grpc_status_code StatusOf(const grpc_metadata_batch &metadata,
                          const grpc_error_handle &error,
                          grpc_core::Timestamp deadline);

} // namespace eown

#endif // EOWN_GRPC_METADATA_H
