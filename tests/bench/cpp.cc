// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// The peer: unary RPCs between a gRPC C++ client and server in this process, on
// one thread and one completion queue, with or without interceptors.
#include <grpcpp/channel.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include <string>

#include "cpp_interceptors.h"
#include "eown/claim.h"
extern "C" {
#include "options.h"
}

namespace bench {
namespace {

constexpr char kPath[] = "/eown.bench.Service/Root";

grpc::ByteBuffer Message() {
  static const char bytes[64] = {'e', 'o', 'w', 'n'};
  grpc::Slice slice(bytes, sizeof(bytes), grpc::Slice::STATIC_SLICE);
  return grpc::ByteBuffer(&slice, 1);
}

std::string DetailBytes() {
  eown_claim_detail detail = {};
  detail.reason = EOWN_REASON_OWN;
  eown_claim_detail_set_owner_path(&detail, kPath, strlen(kPath));
  uint8_t bytes[EOWN_CLAIM_DETAIL_MAX];
  size_t size = eown_claim_detail_encode(&detail, bytes, sizeof(bytes));
  return std::string(bytes, bytes + size);
}

// The completions of one call.
enum Tag : intptr_t { kArrived = 1, kReceived, kSent, kEnded };

void *Pointer(Tag tag) { return reinterpret_cast<void *>(tag); }

// The server's side of one call.
struct Inbound {
  grpc::GenericServerContext context;
  grpc::GenericServerAsyncReaderWriter stream{&context};
  grpc::ByteBuffer request;
};

// The client's side of one call.
struct Outbound {
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
  grpc::ByteBuffer reply;
  grpc::Status status;
};

class Loop {
public:
  Loop(bool interceptors, bool error);
  ~Loop();
  void Run(uint64_t calls);

private:
  void Serve(bool interceptors);
  void Connect(bool interceptors);
  void Ask();
  void Call();
  void Answer();
  void Handle(Tag tag);
  void One();

  const bool error_;
  const std::string detail_ = DetailBytes();
  int port_ = 0;
  int pending_ = 0;
  grpc::AsyncGenericService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> cq_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<grpc::GenericStub> stub_;
  std::unique_ptr<Inbound> inbound_;
  std::unique_ptr<Outbound> outbound_;
};

Loop::Loop(bool interceptors, bool error) : error_(error) {
  Serve(interceptors);
  Connect(interceptors);
  Ask();
}

Loop::~Loop() {
  server_->Shutdown(std::chrono::system_clock::now());
  cq_->Shutdown();
  void *tag;
  bool ok;
  while (cq_->Next(&tag, &ok))
    continue;
}

void Loop::Serve(bool interceptors) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port_);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.RegisterAsyncGenericService(&service_);
  builder.experimental().SetInterceptorCreators(
      MakeServerFactories(interceptors));
  cq_ = builder.AddCompletionQueue();
  server_ = builder.BuildAndStart();
}

void Loop::Connect(bool interceptors) {
  grpc::ChannelArguments args;
  args.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  stub_ = std::make_unique<grpc::GenericStub>(
      grpc::experimental::CreateCustomChannelWithInterceptors(
          "127.0.0.1:" + std::to_string(port_),
          grpc::InsecureChannelCredentials(), args,
          MakeClientFactories(interceptors)));
}

void Loop::Ask() {
  inbound_ = std::make_unique<Inbound>();
  service_.RequestCall(&inbound_->context, &inbound_->stream, cq_.get(),
                       cq_.get(), Pointer(kArrived));
}

void Loop::Call() {
  outbound_ = std::make_unique<Outbound>();
  outbound_->reader =
      stub_->PrepareUnaryCall(&outbound_->context, kPath, Message(), cq_.get());
  outbound_->reader->StartCall();
  outbound_->reader->Finish(&outbound_->reply, &outbound_->status,
                            Pointer(kEnded));
}

void Loop::Answer() {
  if (!error_) {
    inbound_->stream.WriteAndFinish(Message(), grpc::WriteOptions(),
                                    grpc::Status::OK, Pointer(kSent));
    return;
  }
  inbound_->context.AddTrailingMetadata(EOWN_CLAIM_KEY, "claimed");
  inbound_->context.AddTrailingMetadata(EOWN_CLAIM_DETAIL_KEY, detail_);
  inbound_->stream.Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, ""),
                          Pointer(kSent));
}

void Loop::Handle(Tag tag) {
  switch (tag) {
  case kArrived:
    inbound_->stream.Read(&inbound_->request, Pointer(kReceived));
    break;
  case kReceived:
    Answer();
    break;
  case kSent:
  case kEnded:
    pending_--;
    break;
  }
}

void Loop::One() {
  pending_ = 2;
  Call();
  void *tag;
  bool ok;
  while (pending_ > 0 && cq_->Next(&tag, &ok))
    Handle(static_cast<Tag>(reinterpret_cast<intptr_t>(tag)));
  if (outbound_->status.ok() == error_) {
    fputs("eown-bench-cpp: a call ended unexpectedly\n", stderr);
    exit(1);
  }
  Ask();
}

void Loop::Run(uint64_t calls) {
  for (uint64_t i = 0; i < calls; i++)
    One();
}

void Round(const options &options) {
  bool interceptors = strcmp(options.row->name, "interceptor") == 0;
  Loop loop(interceptors, options.error);
  loop.Run(options.warmup);
  CALLGRIND_START_INSTRUMENTATION;
  loop.Run(options.rpcs);
  CALLGRIND_STOP_INSTRUMENTATION;
}

void Measure(const options &options) {
  for (uint64_t i = 0; i < options.rounds; i++)
    Round(options);
  printf("%s %s %" PRIu64 " 0\n", options.row->name,
         options.error ? "error" : "ok", options.rpcs * options.rounds);
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
  struct options options;
  options_read(&options, argc, argv);
  if (options.time) {
    fputs("eown-bench-cpp: --time is eown-bench's\n", stderr);
    return 2;
  }
  bench::Measure(options);
  return 0;
}
