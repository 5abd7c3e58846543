// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_STREAM_SERVER_H
#define EOWN_TESTS_E2E_CPP_STREAM_SERVER_H

#include <atomic>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>

#include "stream_call.h"

namespace e2e {

// How a handler ties its outbound call.
enum class Tie { kParent, kScope, kNone };

// A server of the streaming methods in the callback form, with eown in mode
// enforce. Each call calls the same method of `callee` with one retry (port 0:
// it fails by itself), where there is something to read after all was read.
class StreamServer {
public:
  StreamServer(const std::string &name, int callee, Tie tie);
  ~StreamServer();
  int port() const { return port_; }
  int served() const { return service_.served; }

private:
  class Service : public Streams::CallbackService {
  public:
    grpc::ServerWriteReactor<Word> *Down(grpc::CallbackServerContext *context,
                                         const Word *) override;
    grpc::ServerReadReactor<Word> *Up(grpc::CallbackServerContext *context,
                                      Word *) override;
    grpc::ServerBidiReactor<Word, Word> *
    Both(grpc::CallbackServerContext *context) override;

    // Starts the outbound call and ends the inbound one as it ended.
    template <typename Reactor>
    void Forward(Kind kind, grpc::CallbackServerContext *inbound,
                 Reactor *reactor);

    std::unique_ptr<Streams::Stub> stub; // null: none
    Tie tie = Tie::kParent;
    std::atomic<int> served{0};
  };

  Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_STREAM_SERVER_H
