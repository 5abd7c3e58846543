/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "lab/command.h"
#include "lab/page/pages.h"
#include "lab/real/binary.h"
#include "published.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  OPTION_ONLY = 256,
  OPTION_SIMULATED,
  OPTION_SEED,
  OPTION_JSON,
  OPTION_HTML,
  OPTION_PROGRESS,
  OPTION_NODE_BINARY
};

static const struct argp_option table[] = {
    {"only", OPTION_ONLY, "NAME", 0,
     "Run the scenario of this name, or else those whose name holds NAME", 0},
    {"simulated", OPTION_SIMULATED, "only", OPTION_ARG_OPTIONAL,
     "Also simulate the scenarios, by the same rules, and fleets too large for "
     "this machine; with =only start no processes at all (seconds)",
     0},
    {"seed", OPTION_SEED, "N", 0, "Seed of the random failures (default 1)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object, not tables", 0},
    {"html", OPTION_HTML, "FILE", 0,
     "Also write the result as a page with pictures", 0},
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
    "  eown-lab published --simulated         # both side by side\n"
    "  eown-lab published --simulated=only    # without processes\n"
    "  eown-lab published --only budget\n"
    "  eown-lab published --only \"stock retries\" --json";

typedef struct options {
  const char *only;
  uint64_t seed;
  bool simulate;
  bool measure;
  const char *html;
  bool json;
  bool progress;
  char *binary;
} options;

/* Scenarios of processes come first, then those of fleets. */
static size_t count_all(const options *options) {
  return lab_scenario_count +
         (options->simulate ? lab_fleet_scenario_count : 0);
}

static const char *name_of(size_t index) {
  return index < lab_scenario_count
             ? lab_scenarios[index].name
             : lab_fleet_scenarios[index - lab_scenario_count].name;
}

/* A whole name selects that scenario alone, though others hold it too. */
static bool is_whole_name(const options *options) {
  for (size_t i = 0; i < count_all(options); i++)
    if (!strcasecmp(name_of(i), options->only))
      return true;
  return false;
}

static bool is_selected(const options *options, size_t index) {
  if (!options->only)
    return true;
  if (is_whole_name(options))
    return !strcasecmp(name_of(index), options->only);
  return strcasestr(name_of(index), options->only) != NULL;
}

static size_t count_selected(const options *options) {
  size_t count = 0;
  for (size_t i = 0; i < count_all(options); i++)
    count += is_selected(options, i);
  return count;
}

/* The names of all scenarios, each once. The caller owns the text. */
static char *list_names(const options *options) {
  char *list = lab_format("%s", name_of(0));
  for (size_t i = 1; i < count_all(options); i++) {
    if (!strcmp(name_of(i), name_of(i - 1)))
      continue;
    char *longer = lab_format("%s; %s", list, name_of(i));
    free(list);
    list = longer;
  }
  return list;
}

static void check_only(struct argp_state *state, const options *options) {
  if (count_selected(options) > 0)
    return;
  char *names = list_names(options);
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
  case OPTION_SIMULATED:
    options->simulate = true;
    options->measure = !value;
    if (value && strcmp(value, "only") != 0)
      lab_option_refuse(state, "--simulated", value, "nothing or only");
    return 0;
  case OPTION_SEED:
    options->seed = lab_option_integer(state, "--seed", value, 0, UINT32_MAX);
    return 0;
  case OPTION_JSON:
    options->json = true;
    return 0;
  case OPTION_HTML:
    options->html = value;
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
static void run_one(const options *options, size_t index,
                    lab_progress *progress, lab_values *values) {
  uint64_t seed = options->seed + index;
  if (index >= lab_scenario_count) {
    const lab_fleet_scenario *fleet =
        &lab_fleet_scenarios[index - lab_scenario_count];
    fleet->run(fleet, seed, values);
    return;
  }
  const lab_scenario *scenario = &lab_scenarios[index];
  size_t first = values->count;
  lab_scenario_expect(scenario, values);
  if (options->measure)
    lab_scenario_measure(scenario, options->binary, seed, progress,
                         values->items + first);
  if (options->simulate)
    lab_scenario_simulate(scenario, seed, values->items + first);
}

static void run_all(const options *options, lab_values *values) {
  lab_progress progress;
  lab_progress_init(&progress, options->progress);
  size_t total = count_selected(options), number = 0;
  for (size_t i = 0; i < count_all(options); i++) {
    if (!is_selected(options, i))
      continue;
    lab_progress_label(&progress, "scenario %zu of %zu, %s", ++number, total,
                       name_of(i));
    lab_progress_say(&progress);
    run_one(options, i, &progress, values);
  }
  lab_progress_clear(&progress);
}

static int status_of(const lab_values *values) {
  for (size_t i = 0; i < values->count; i++)
    if (!lab_value_passes(&values->items[i]))
      return 1;
  return 0;
}

static void write_page(page_file *html, const lab_values *values) {
  json_t *object = lab_values_make_json(values);
  page_write_published(html, object);
  json_decref(object);
}

int lab_published_command(int argc, char **argv) {
  static const struct argp parser = {
      .options = table, .parser = parse, .doc = documentation};
  options options = {.seed = 1, .measure = true};
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  page_file *html = page_file_open(options.html);
  if (options.measure && !options.binary)
    options.binary = lab_binary_find("node", "eown-node");
  lab_values values = {0};
  run_all(&options, &values);
  if (options.json)
    lab_values_print_json(&values);
  else
    lab_values_print_tables(&values);
  if (html)
    write_page(html, &values);
  int status = status_of(&values);
  free(values.items);
  free(options.binary);
  return status;
}
