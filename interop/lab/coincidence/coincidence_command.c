/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "coincidence.h"
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "lab/command.h"
#include "lab/real/binary.h"

#include <argp.h>
#include <stdlib.h>

typedef struct options {
  lab_coincidence coincidence;
  char *binary;
  bool learning_chosen;
  bool json;
  bool progress;
} options;

enum key {
  KEY_CALLEES = 256,
  KEY_CALLEE_RATE,
  KEY_OWN_RATE,
  KEY_MEMORY,
  KEY_LEARNING,
  KEY_REQUESTS,
  KEY_CONCURRENCY,
  KEY_SEED,
  KEY_JSON,
  KEY_PROGRESS,
  KEY_BINARY
};

static const struct argp_option table[] = {
    {"callees", KEY_CALLEES, "N", 0,
     "Callees that A carries on without: 0 to 8 (default 2)", 0},
    {"callee-rate", KEY_CALLEE_RATE, "RATE", 0,
     "Share of A's calls to each that fail, retry included (default 0.1)", 0},
    {"own-rate", KEY_OWN_RATE, "RATE", 0,
     "Share of calls that A fails by itself (default 0.1)", 0},
    {"memory", KEY_MEMORY, "on|off", 0,
     "Let A learn which callees matter (default on)", 0},
    {"learning", KEY_LEARNING, "N", 0,
     "Requests to learn from before those that count, with memory on (default: "
     "300 failures of each callee)",
     0},
    {"requests", KEY_REQUESTS, "N", 0, "Requests that count (default 20000)",
     0},
    {"concurrency", KEY_CONCURRENCY, "N", 0, "Requests in flight (default 32)",
     0},
    {"seed", KEY_SEED, "N", 0, "Seed of the failures (default 1)", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, not a table", 1},
    {"progress", KEY_PROGRESS, NULL, 0,
     "Show progress even where standard error is no terminal", 1},
    {"node-binary", KEY_BINARY, "FILE", 0,
     "The eown-node to start (default: beside this program, else in PATH)", 1},
    {0},
};

static bool take_on_off(struct argp_state *state, const char *option,
                        const char *value) {
  static const char *const words[] = {"off", "on", NULL};
  return lab_option_word(state, option, value, words) == 1;
}

static error_t parse(int key, char *value, struct argp_state *state) {
  options *o = state->input;
  lab_coincidence *c = &o->coincidence;
  switch (key) {
  case KEY_CALLEES:
    c->callees = lab_option_integer(state, "--callees", value, 0,
                                    LAB_COINCIDENCE_CALLEES_MAX);
    return 0;
  case KEY_CALLEE_RATE:
    c->callee_rate = lab_option_number(state, "--callee-rate", value, 0, 1);
    return 0;
  case KEY_OWN_RATE:
    c->own_rate = lab_option_number(state, "--own-rate", value, 0, 1);
    return 0;
  case KEY_MEMORY:
    c->memory = take_on_off(state, "--memory", value);
    return 0;
  case KEY_LEARNING:
    c->learning = lab_option_integer(state, "--learning", value, 0, 100000000u);
    o->learning_chosen = true;
    return 0;
  case KEY_REQUESTS:
    c->requests = lab_option_integer(state, "--requests", value, 1, 100000000u);
    return 0;
  case KEY_CONCURRENCY:
    c->concurrency = lab_option_integer(state, "--concurrency", value, 1, 4096);
    return 0;
  case KEY_SEED:
    c->seed = lab_option_integer(state, "--seed", value, 0, UINT32_MAX);
    return 0;
  case KEY_JSON:
    o->json = true;
    return 0;
  case KEY_PROGRESS:
    o->progress = true;
    return 0;
  case KEY_BINARY:
    free(o->binary);
    o->binary = lab_format("%s", value);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is not valid: expected options only", value);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void read_options(options *o, int argc, char **argv) {
  static const struct argp parser = {
      .options = table,
      .parser = parse,
      .doc = "A service that carries on without its callees and has errors of "
             "its own: how many of these does it take for its callees'?\v"
             "Examples:\n"
             "  eown-lab coincidence --memory off   # 19 %, as published\n"
             "  eown-lab coincidence                # none, once learned\n"
             "  eown-lab coincidence --memory off --callee-rate 0.02 "
             "--own-rate 0.02"};
  lab_coincidence_init(&o->coincidence);
  argp_parse(&parser, argc, argv, 0, NULL, o);
  if (!o->binary)
    o->binary = lab_binary_find("node", "eown-node");
  o->coincidence.binary = o->binary;
  if (!o->learning_chosen)
    o->coincidence.learning = lab_coincidence_learning(&o->coincidence);
}

int lab_coincidence_command(int argc, char **argv) {
  options o = {0};
  read_options(&o, argc, argv);
  lab_progress progress;
  lab_progress_init(&progress, o.progress);
  lab_coincidence_result result;
  lab_coincidence_run(&o.coincidence, &progress, &result);
  if (o.json)
    lab_coincidence_print_json(&o.coincidence, &result);
  else
    lab_coincidence_print_table(&o.coincidence, &result);
  free(o.binary);
  return lab_coincidence_passes(&o.coincidence, &result) ? 0 : 1;
}
