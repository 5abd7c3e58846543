// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>

#include <CLI/CLI.hpp>

#include "status.h"
#include "values.h"

namespace peer {
namespace {

constexpr char kText[] =
    "One node of a call graph, in C++: serves /NAME/Call and "
    "/eown.interop.v1.Node/{Call,Stats}, and calls its callees for each call.";

constexpr char kExamples[] =
    "Prints one line of JSON when it is ready and one with its counts at its\n"
    "exit, on SIGTERM or SIGINT. Each binding is a program of its own; the\n"
    "script 'node' runs the one that --binding names.\n"
    "\n"
    "Examples:\n"
    "  A node that always fails, and its caller with one retry:\n"
    "    node --name D --listen 127.0.0.1:7004 --fail-rate 1\n"
    "    node --name C --callee D=127.0.0.1:7004 --attempts 2 \\\n"
    "      --ownership enforce\n"
    "  The same caller with the callback API and the C-core filters:\n"
    "    node --binding filters --form callback --name C \\\n"
    "      --callee D=127.0.0.1:7004 --attempts 2 --ownership enforce";

template <typename T>
using Read = std::function<std::optional<T>(const std::string &)>;

// An option whose value `read` takes to `*to`, or refuses.
template <typename T>
CLI::Option *Add(CLI::App *app, const std::string &name,
                 const std::string &value, const std::string &help,
                 const std::string &expected, T *to, Read<T> read) {
  auto take = [=](const std::string &text) {
    std::optional<T> got = read(text);
    if (!got)
      throw CLI::ValidationError(name,
                                 "got '" + text + "', expected " + expected);
    *to = *got;
  };
  return app->add_option_function<std::string>(name, take, help)
      ->type_name(value);
}

template <typename T>
void AddChoice(CLI::App *app, const std::string &name, const std::string &help,
               const std::string &expected, T *to, Choices<T> choices) {
  Add<T>(app, name, "NAME", help, expected, to,
         [choices](const std::string &text) { return Choose(choices, text); });
}

void AddNumber(CLI::App *app, const std::string &name, const std::string &help,
               uint64_t least, uint64_t most, uint64_t *to) {
  std::string expected = "a whole number from " + std::to_string(least) +
                         " to " + std::to_string(most);
  Add<uint64_t>(
      app, name, "N", help, expected, to,
      [=](const std::string &text) { return ReadNumber(text, least, most); });
}

void AddAddresses(CLI::App *app, Options *options) {
  Add<std::string>(
      app, "--name", "NAME", "Name of this node and of its service (node)",
      "1 to 63 letters, digits, '-', '_' or '.'", &options->name, ReadName);
  Add<std::string>(app, "--listen", "HOST:PORT",
                   "Address to serve; port 0 picks one (127.0.0.1:0)",
                   "HOST:PORT with a port from 0 to 65535", &options->listen,
                   ReadAddress);
  auto take = [options](const std::vector<std::string> &texts) {
    for (const std::string &text : texts) {
      std::optional<CalleeOption> callee = ReadCallee(text);
      if (!callee)
        throw CLI::ValidationError("--callee",
                                   "got '" + text +
                                       "', expected NAME=HOST:PORT or "
                                       "NAME=HOST:PORT,fail-open");
      options->callees.push_back(*callee);
    }
  };
  app->add_option_function<std::vector<std::string>>(
         "--callee", take,
         "A node to call for each inbound call; may be repeated")
      ->type_name("NAME=HOST:PORT[,fail-open]")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void AddFailures(CLI::App *app, Options *options) {
  Add<double>(app, "--fail-rate", "RATE",
              "Share of calls this node fails by itself (0)",
              "a number from 0 to 1", &options->fail_rate, ReadRate);
  Add<grpc::StatusCode>(
      app, "--fail-status", "STATUS",
      "Status of its own failures (UNAVAILABLE)",
      "the name of a gRPC status code other than OK, such as UNAVAILABLE",
      &options->fail_status, ReadStatus);
  AddNumber(app, "--healthy-first",
            "The first N calls do not fail by themselves (0)", 0, UINT64_MAX,
            &options->healthy_first);
  AddNumber(app, "--seed", "Seed of its random numbers (1)", 0, UINT64_MAX,
            &options->seed);
}

void AddRetries(CLI::App *app, Options *options) {
  AddNumber(app, "--attempts",
            "Attempts at most, of its retry policy or loop; 1: no retry (1)", 1,
            100, &options->attempts);
  AddChoice<RetryBy>(
      app, "--retry-by",
      "Who retries: grpc, application (a loop of the node's own) "
      "or both (grpc)",
      "grpc, application or both", &options->retry_by,
      {{"grpc", RetryBy::kGrpc},
       {"application", RetryBy::kApplication},
       {"both", RetryBy::kBoth}});
  Add<std::vector<grpc::StatusCode>>(
      app, "--retry-codes", "A,B,..",
      "Retryable status codes (the seven that speak of a fault)",
      "names of gRPC status codes other than OK, separated by commas",
      &options->retry_codes, ReadStatuses);
  AddChoice<std::string>(app, "--ownership",
                         "stock, off, observe or enforce (stock)",
                         "stock, off, observe or enforce", &options->ownership,
                         {{"stock", "stock"},
                          {"off", "off"},
                          {"observe", "observe"},
                          {"enforce", "enforce"}});
}

void AddForms(CLI::App *app, Options *options, const std::string &binding) {
  AddChoice<Way>(app, "--context",
                 "How outbound calls find their inbound: parent, thread or "
                 "none (parent)",
                 "parent, thread or none", &options->way,
                 {{"parent", Way::kParent},
                  {"thread", Way::kThread},
                  {"none", Way::kNone}});
  AddChoice<FormName>(app, "--form",
                      "The API that serves and calls: sync, callback, async "
                      "or generic (sync)",
                      "sync, callback, async or generic", &options->form,
                      {{"sync", FormName::kSync},
                       {"callback", FormName::kCallback},
                       {"async", FormName::kAsync},
                       {"generic", FormName::kGeneric}});
  static std::string given; // nothing but its check is wanted
  AddChoice<std::string>(app, "--binding",
                         "What brings ownership: none, filters or interceptors "
                         "(this program: " +
                             binding + ")",
                         "'" + binding + "', which this program has", &given,
                         {{binding, binding}});
}

} // namespace

Options ParseOptions(int argc, char **argv, const std::string &binding) {
  Options options;
  options.retry_codes = Faults();
  CLI::App app(kText, "eown-peer-cpp");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.footer(kExamples);
  AddAddresses(&app, &options);
  AddFailures(&app, &options);
  AddRetries(&app, &options);
  AddForms(&app, &options, binding);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    std::exit(EXIT_SUCCESS);
  } catch (const CLI::ParseError &error) {
    std::cerr << "eown-peer-cpp: " << error.what() << "\n"
              << "Try --help.\n";
    std::exit(2);
  }
  return options;
}

} // namespace peer
