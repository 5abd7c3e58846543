/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/option.h"
#include "lab/command.h"
#include "prove.h"

#include <argp.h>
#include <stdlib.h>

enum { OPTION_SERVICES = 256, OPTION_ATTEMPTS, OPTION_RETRY_BY, OPTION_JSON };

static const struct argp_option table[] = {
    {"services", OPTION_SERVICES, "N", 0,
     "Call trees of up to N services: 1 to 7 (default 5; 6 takes a second, 7 "
     "half a minute)",
     0},
    {"attempts", OPTION_ATTEMPTS, "K", 0,
     "Attempts of each call that may be retried, the first included: 2 to 5 "
     "(default 2)",
     0},
    {"retry-by", OPTION_RETRY_BY, "WHO", 0,
     "Who makes them: grpc (its retry policy), application (a loop around each "
     "call) or both, a loop above a policy (default grpc)",
     0},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object, not a table", 0},
    {0},
};

static const char documentation[] =
    "Plays every case of small fleets by the core's own rules: every call tree "
    "up to N services (one of those that differ only in the order of callees), "
    "every choice of who fails, which callers may retry, who runs "
    "eown and where the context is lost. Says which invariants hold, with the "
    "smallest counterexample of those that do not. Ends with status 1 where "
    "one "
    "is broken that has to hold.\v"
    "Examples:\n"
    "  eown-lab prove\n"
    "  eown-lab prove --services 6\n"
    "  eown-lab prove --retry-by both      # loops above gRPC's policies\n"
    "  eown-lab prove --services 4 --attempts 5 --json";

typedef struct options {
  unsigned services;
  unsigned attempts;
  lab_retry_by retry_by;
  bool json;
} options;

static error_t parse(int key, char *value, struct argp_state *state) {
  options *options = state->input;
  switch (key) {
  case OPTION_SERVICES:
    options->services = (unsigned)lab_option_integer(state, "--services", value,
                                                     1, LAB_TREE_MAX);
    return 0;
  case OPTION_ATTEMPTS:
    options->attempts =
        (unsigned)lab_option_integer(state, "--attempts", value, 2, 5);
    return 0;
  case OPTION_RETRY_BY:
    options->retry_by = (lab_retry_by)lab_option_word(
        state, "--retry-by", value, lab_retry_by_names);
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is not valid: expected options only", value);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int lab_prove_command(int argc, char **argv) {
  static const struct argp parser = {
      .options = table, .parser = parse, .doc = documentation};
  options options = {.services = 5, .attempts = 2};
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  lab_proof proof;
  lab_prove_by(&proof, options.services, options.attempts, options.retry_by,
               &lab_rules_core);
  if (options.json)
    lab_proof_print_json(&proof, &lab_rules_core);
  else
    lab_proof_print(&proof, &lab_rules_core);
  return lab_proof_holds(&proof) ? 0 : 1;
}
