// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include "probe.grpc.pb.h"
#include "tsan.h"

using eown::test::Answer;
using eown::test::Ask;
using eown::test::Probe;

std::string Result::Values(const std::string &key) const {
  std::string joined;
  auto range = trailers.equal_range(key);
  for (auto it = range.first; it != range.second; ++it)
    joined += (joined.empty() ? "" : ",") + it->second;
  return joined;
}

eown_claim_detail Result::Detail() const {
  eown_claim_detail detail = {};
  std::string bytes = Values(EOWN_CLAIM_DETAIL_KEY);
  eown_claim_detail_decode(reinterpret_cast<const uint8_t *>(bytes.data()),
                           bytes.size(), &detail);
  return detail;
}

static grpc::Status Do(Probe::Stub *stub, Method method,
                       grpc::ClientContext *client) {
  Answer answer;
  switch (method) {
  case Method::kUnary:
    return stub->Unary(client, Ask(), &answer);
  case Method::kDownload: {
    auto reader = stub->Download(client, Ask());
    while (reader->Read(&answer)) {
    }
    return reader->Finish();
  }
  case Method::kUpload: {
    auto writer = stub->Upload(client, &answer);
    writer->Write(Ask());
    writer->WritesDone();
    return writer->Finish();
  }
  case Method::kChat: {
    auto stream = stub->Chat(client);
    stream->Write(Ask());
    stream->WritesDone();
    while (stream->Read(&answer)) {
    }
    return stream->Finish();
  }
  }
  return grpc::Status::CANCELLED;
}

Result Call(const std::shared_ptr<grpc::Channel> &channel, Method method,
            const Metadata &metadata) {
  auto stub = Probe::NewStub(channel);
  grpc::ClientContext client;
  for (const auto &[key, value] : metadata)
    client.AddMetadata(key, value);
  Result result;
  TEST_RELEASE(&test_order);
  result.status = Do(stub.get(), method, &client);
  TEST_ACQUIRE(&test_order);
  for (const auto &[key, value] : client.GetServerTrailingMetadata())
    result.trailers.emplace(std::string(key.data(), key.size()),
                            std::string(value.data(), value.size()));
  return result;
}
