// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Usage: preload-relay NAME FORM CALLEE=HOST:PORT
// Serves /NAME/Call on a port of its own until SIGTERM. Writes a line when it
// serves, and one at its end with what its global callbacks saw.
#include "relay.h"

#include <signal.h>

#include <iostream>

namespace relay {

std::unique_ptr<Form> MakeForm(const std::string &form, const std::string &name,
                               Callee *callee) {
  if (form == "parent" || form == "plain" || form == "thread")
    return MakeSync(form, name, callee);
  if (form == "callback-parent" || form == "callback-plain")
    return MakeCallback(form, name, callee);
  return form == "async" ? MakeAsync(name, callee) : nullptr;
}

namespace {

std::atomic<int> begun{0}, ended{0};

// A process has one of these: the application's own.
class Watching : public grpc::Server::GlobalCallbacks {
  void PreSynchronousRequest(grpc::ServerContext *) override { begun++; }
  void PostSynchronousRequest(grpc::ServerContext *) override { ended++; }
};

void AwaitSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  int signal;
  sigwait(&signals, &signal);
}

// Before any thread is there, so that none takes it.
void BlockSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int Serve(const std::string &name, const std::string &form_name,
          const std::string &callee_word) {
  grpc::Server::SetGlobalCallbacks(new Watching); // which owns it
  Callee callee(callee_word);
  std::unique_ptr<Form> form = MakeForm(form_name, name, &callee);
  if (form == nullptr) {
    std::cerr << "preload-relay: unknown form \"" << form_name << "\"\n";
    return 2;
  }
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                           &port);
  form->Register(&builder);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  form->Start();
  std::cout << "{\"event\":\"ready\",\"port\":" << port << "}" << std::endl;
  AwaitSignal();
  server->Shutdown();
  form->Stop();
  server->Wait();
  std::cout << "{\"event\":\"exit\",\"begun\":" << begun
            << ",\"ended\":" << ended << "}" << std::endl;
  return 0;
}

} // namespace
} // namespace relay

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: preload-relay NAME FORM CALLEE=HOST:PORT\n";
    return 2;
  }
  relay::BlockSignal();
  return relay::Serve(argv[1], argv[2], argv[3]);
}
