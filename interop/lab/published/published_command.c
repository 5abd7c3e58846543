/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "lab/command.h"
#include "lab/real/binary.h"
#include "published.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  OPTION_ONLY = 256,
  OPTION_SEED,
  OPTION_JSON,
  OPTION_PROGRESS,
  OPTION_NODE_BINARY
};

static const struct argp_option table[] = {
    {"only", OPTION_ONLY, "NAME", 0,
     "Run the scenario of this name, or else those whose name holds NAME", 0},
    {"seed", OPTION_SEED, "N", 0, "Seed of the random failures (default 1)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object, not tables", 0},
    {"progress", OPTION_PROGRESS, NULL, 0,
     "Show progress even where standard error is no terminal", 0},
    {"node-binary", OPTION_NODE_BINARY, "FILE", 0,
     "The eown-node to start (default: beside this program, else in PATH)", 0},
    {0},
};

static const char documentation[] =
    "Runs every published scenario with real processes and prints what was "
    "measured beside what was published. Ends with status 1 where a value "
    "differs by more than 2 %, a random one by more than 4 standard errors.\v"
    "Examples:\n"
    "  eown-lab published\n"
    "  eown-lab published --only budget\n"
    "  eown-lab published --only \"stock retries\" --json";

typedef struct options {
  const char *only;
  uint64_t seed;
  bool json;
  bool progress;
  char *binary;
} options;

/* A whole name selects that scenario alone, though others hold it too. */
static bool is_whole_name(const char *text) {
  for (size_t i = 0; i < lab_scenario_count; i++)
    if (!strcasecmp(lab_scenarios[i].name, text))
      return true;
  return false;
}

static bool is_selected(const options *options, const lab_scenario *scenario) {
  if (!options->only)
    return true;
  if (is_whole_name(options->only))
    return !strcasecmp(scenario->name, options->only);
  return strcasestr(scenario->name, options->only) != NULL;
}

static size_t count_selected(const options *options) {
  size_t count = 0;
  for (size_t i = 0; i < lab_scenario_count; i++)
    count += is_selected(options, &lab_scenarios[i]);
  return count;
}

/* The names of all scenarios, each once. The caller owns the text. */
static char *list_names(void) {
  char *list = lab_format("%s", lab_scenarios[0].name);
  for (size_t i = 1; i < lab_scenario_count; i++) {
    if (!strcmp(lab_scenarios[i].name, lab_scenarios[i - 1].name))
      continue;
    char *longer = lab_format("%s; %s", list, lab_scenarios[i].name);
    free(list);
    list = longer;
  }
  return list;
}

static void check_only(struct argp_state *state, const options *options) {
  if (count_selected(options) > 0)
    return;
  char *names = list_names();
  lab_option_refuse(state, "--only", options->only, "a part of one of: %s",
                    names);
  free(names);
}

static error_t parse(int key, char *value, struct argp_state *state) {
  options *options = state->input;
  switch (key) {
  case OPTION_ONLY:
    options->only = value;
    return 0;
  case OPTION_SEED:
    options->seed = lab_option_integer(state, "--seed", value, 0, UINT32_MAX);
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case OPTION_PROGRESS:
    options->progress = true;
    return 0;
  case OPTION_NODE_BINARY:
    free(options->binary);
    options->binary = lab_format("%s", value);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is not valid: expected options only", value);
    return 0;
  case ARGP_KEY_END:
    check_only(state, options);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Each scenario has a seed of its own: random ones must not share their luck.
 */
static void run_all(const options *options, lab_values *values) {
  lab_progress progress;
  lab_progress_init(&progress, options->progress);
  size_t total = count_selected(options), number = 0;
  for (size_t i = 0; i < lab_scenario_count; i++) {
    const lab_scenario *scenario = &lab_scenarios[i];
    if (!is_selected(options, scenario))
      continue;
    lab_progress_label(&progress, "scenario %zu of %zu, %s", ++number, total,
                       scenario->name);
    lab_progress_say(&progress);
    lab_scenario_run(scenario, options->binary, options->seed + i, &progress,
                     values);
  }
  lab_progress_clear(&progress);
}

static int status_of(const lab_values *values) {
  for (size_t i = 0; i < values->count; i++)
    if (!lab_value_passes(&values->items[i]))
      return 1;
  return 0;
}

int lab_published_command(int argc, char **argv) {
  static const struct argp parser = {
      .options = table, .parser = parse, .doc = documentation};
  options options = {.seed = 1};
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  if (!options.binary)
    options.binary = lab_binary_find("node", "eown-node");
  lab_values values = {0};
  run_all(&options, &values);
  if (options.json)
    lab_values_print_json(&values);
  else
    lab_values_print_tables(&values);
  int status = status_of(&values);
  free(values.items);
  free(options.binary);
  return status;
}
