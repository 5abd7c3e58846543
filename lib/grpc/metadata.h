// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_METADATA_H
#define EOWN_GRPC_METADATA_H

#include "compat.h"
#include "eown/claim.h"
#include "eown/settings.h"

namespace eown {

// What a set of metadata holds under eown's keys, found in one pass.
struct FoundKeys {
  bool claim = false;
  bool alias = false;
  bool detail = false;
  bool mark = false;
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

// Looks for eown's keys, and for the value of the retry mark: *marked becomes
// true for the one value that is known.
FoundKeys FindKeys(const grpc_metadata_batch &metadata, const char *alias,
                   bool *marked);

// Removes the claim keys that were found.
void RemoveClaim(const FoundKeys &found, const char *alias,
                 grpc_metadata_batch *metadata);

// Writes a claim and its detail (null: none), under the alias as well.
void WriteClaim(eown_claim claim, const eown_claim_detail *detail,
                const char *alias, grpc_metadata_batch *metadata);

// Writes the retry mark.
void WriteMark(grpc_metadata_batch *metadata);

// The status a call or attempt ended with, as gRPC's retry filter reads it.
grpc_status_code StatusOf(const grpc_metadata_batch &metadata,
                          const grpc_error_handle &error,
                          grpc_core::Timestamp deadline);

} // namespace eown

#endif // EOWN_GRPC_METADATA_H
