// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include <sys/prctl.h>
#include <unistd.h>

#include "form.h"

namespace peer {
namespace {

// A call that never ends does not keep the node: then SIGALRM ends it.
constexpr unsigned kPatienceSeconds = 30;

// SIGTERM and SIGINT are waited for, so no thread may be interrupted by them.
// The first also comes when the process that started the node ends.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  return signals;
}

std::unique_ptr<Form> MakeForm(Node *node) {
  switch (node->options().form) {
  case FormName::kSync:
    return MakeSyncForm(node);
  case FormName::kCallback:
    return MakeCallbackForm(node);
  case FormName::kAsync:
    return MakeAsyncForm(node);
  case FormName::kGeneric:
    return MakeGenericForm(node);
  }
  std::abort(); // no other is parsed
}

void PrintReady(const Options &options, int port) {
  nlohmann::ordered_json ready = {
      {"event", "ready"}, {"name", options.name},
      {"port", port},     {"language", "C++"},
      {"version", "17"},  {"grpc", "gRPC C++ " + grpc::Version()}};
  std::cout << ready.dump() << std::endl;
}

// Serves until a signal comes. False: the address cannot be had.
bool Serve(Node *node, Binding *binding, const sigset_t &signals) {
  const Options &options = node->options();
  std::unique_ptr<Form> form = MakeForm(node);
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(options.listen, grpc::InsecureServerCredentials(),
                           &port);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  form->Register(&builder);
  binding->Extend(&builder, options);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr) {
    std::cerr << "eown-peer-cpp: --listen: cannot listen on '" << options.listen
              << "'\n";
    return false;
  }
  form->Start();
  PrintReady(options, port);
  int signal;
  sigwait(&signals, &signal);
  alarm(kPatienceSeconds);
  server->Shutdown(std::chrono::system_clock::now());
  form->Stop();
  return true;
}

int Run(int argc, char **argv) {
  Options options = ParseOptions(argc, argv, kBindingName);
  sigset_t signals = BlockSignals();
  std::unique_ptr<Binding> binding = MakeBinding();
  if (!binding->Start(options))
    return EXIT_FAILURE;
  Node node(options, binding.get());
  if (!Serve(&node, binding.get(), signals))
    return EXIT_FAILURE;
  std::cout << node.Counts("exit") << std::endl;
  return EXIT_SUCCESS;
}

} // namespace
} // namespace peer

int main(int argc, char **argv) {
  try {
    return peer::Run(argc, argv);
  } catch (const std::exception &error) {
    std::cerr << "eown-peer-cpp: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
}
