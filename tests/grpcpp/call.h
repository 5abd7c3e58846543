// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_GRPCPP_CALL_H
#define EOWN_TESTS_GRPCPP_CALL_H

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <string>

#include "eown/claim.h"

enum class Method { kUnary, kDownload, kUpload, kChat };

using Metadata = std::multimap<std::string, std::string>;

// How a call ended, as its application sees it.
struct Result {
  grpc::Status status;
  Metadata trailers;

  // The values under a key, joined by commas: "" where there are none.
  std::string Values(const std::string &key) const;
  // The detail of the claim; zeroes where there is none.
  eown_claim_detail Detail() const;
};

// Makes a call and waits for its end.
Result Call(const std::shared_ptr<grpc::Channel> &channel,
            Method method = Method::kUnary, const Metadata &metadata = {});

#endif // EOWN_TESTS_GRPCPP_CALL_H
