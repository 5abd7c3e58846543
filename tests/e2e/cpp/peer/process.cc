// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace e2e {
namespace {

// Between fork and exec: no allocation.
[[noreturn]] void Become(const std::vector<char *> &words, int output,
                         bool errors_too) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output, STDOUT_FILENO);
  if (errors_too)
    dup2(output, STDERR_FILENO);
  execv(words[0], words.data());
  perror(words[0]);
  _exit(127);
}

// Starts it with its output in a pipe, which `*output` reads.
pid_t Start(const Words &words, bool errors_too, FILE **output) {
  std::vector<char *> list;
  for (const std::string &word : words)
    list.push_back(const_cast<char *>(word.c_str()));
  list.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    abort();
  pid_t pid = fork();
  if (pid == 0)
    Become(list, ends[1], errors_too);
  close(ends[1]);
  *output = fdopen(ends[0], "r");
  return pid;
}

int StatusOf(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ReadLine(FILE *from, std::string *line) {
  line->clear();
  for (int c; (c = getc(from)) != EOF && c != '\n';)
    line->push_back(static_cast<char>(c));
  return !line->empty();
}

} // namespace

Process::Process(const Words &words) {
  pid_ = Start(words, false, &output_);
  nlohmann::json ready = ReadEvent("ready");
  port_ = ready.value("port", 0);
  EXPECT_NE(0, port_) << words[0] << " did not come up";
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    Wait();
  }
  fclose(output_);
}

nlohmann::json Process::ReadEvent(const std::string &event) {
  for (std::string line; ReadLine(output_, &line);) {
    auto object = nlohmann::json::parse(line, nullptr, false);
    if (object.is_object() && object.value("event", "") == event)
      return object;
  }
  return nlohmann::json::object();
}

int Process::Wait() {
  int status = StatusOf(pid_);
  pid_ = -1;
  return status;
}

nlohmann::json Process::Stop() {
  kill(pid_, SIGTERM);
  nlohmann::json counts = ReadEvent("exit");
  EXPECT_EQ(0, Wait());
  return counts;
}

Finished RunToEnd(const Words &words) {
  FILE *output;
  pid_t pid = Start(words, true, &output);
  Finished finished;
  for (int c; (c = getc(output)) != EOF;)
    finished.output.push_back(static_cast<char>(c));
  fclose(output);
  finished.status = StatusOf(pid);
  return finished;
}

} // namespace e2e
