// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_TESTS_E2E_CPP_PEER_PROCESS_H
#define EOWN_TESTS_E2E_CPP_PEER_PROCESS_H

#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace e2e {

using Words = std::vector<std::string>;

// A node of a call graph as a process; it ends with this one.
class Process {
public:
  // Starts it and waits until it serves. Fails the test where it does not.
  explicit Process(const Words &words);
  ~Process();
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;

  int port() const { return port_; }

  // Ends it and returns what it counted. Fails the test where it does not end
  // with status 0.
  nlohmann::json Stop();

private:
  nlohmann::json ReadEvent(const std::string &event);
  int Wait();

  pid_t pid_ = -1;
  FILE *output_ = nullptr;
  int port_ = 0;
};

// Runs a program to its end: its exit status and what it wrote to both outputs.
struct Finished {
  int status;
  std::string output;
};
Finished RunToEnd(const Words &words);

} // namespace e2e

#endif // EOWN_TESTS_E2E_CPP_PEER_PROCESS_H
