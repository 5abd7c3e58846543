// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPCPP_METADATA_H
#define EOWN_GRPCPP_METADATA_H

#include <grpcpp/support/string_ref.h>

#include <map>
#include <string>

#include "eown/claim.h"

namespace eown::grpcpp {

using Received = std::multimap<grpc::string_ref, grpc::string_ref>;
using Sent = std::multimap<std::string, std::string>;

// Removes the claim keys and the alias ("": none); says whether there were any.
bool RemoveClaim(const char *alias, Received *metadata);
bool RemoveClaim(const char *alias, Sent *metadata);

// Says whether a request is marked as a retry, by eown's mark or by gRPC's. A
// mark of an unknown value is counted.
bool IsMarkedRetry(const Received &metadata);
void RemoveMark(Received *metadata);

// Removes from a request what the application set or forwarded under eown's
// keys.
void RemoveForwarded(const char *alias, Sent *metadata);

// Writes the retry mark, once, whoever else did.
void WriteMark(Sent *metadata);

// A claim as it was received.
struct Word {
  eown_claim claim = EOWN_CLAIM_MISSING;
  bool any = false; // there were keys of a claim, good ones or not
  bool has_detail = false;
  eown_claim_detail detail = {};
};

// Reads the claim out of received trailing metadata, counting what is malformed
// against `path`.
Word ReadClaim(const Received &metadata, const char *alias, const char *path);

// Writes a claim and its detail, under the alias as well.
void WriteClaim(eown_claim claim, const eown_claim_detail &detail,
                const char *alias, Sent *metadata);

// Removes a pushback that stops the caller's retries.
void RemoveStop(Sent *metadata);

// Sets the one pushback that stops the caller's retries.
void WriteStop(Sent *metadata);

} // namespace eown::grpcpp

#endif // EOWN_GRPCPP_METADATA_H
