/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "policy_text.h"
#include "radius.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_KEY 256 /* above the characters: no short options */
#define TOP_MAX 1000u

/* One option. Those of the policy are taken as a policy file's lines are. */
typedef struct row {
  const char *name;
  const char *value; /* NULL: a flag */
  const char *text;
  int group;
  void (*take)(radius_options *options, struct argp_state *state,
               const char *option, const char *value); /* NULL: the policy's */
} row;

static void take_format(radius_options *options, struct argp_state *state,
                        const char *option, const char *value) {
  static const char *const words[] = {
      [RADIUS_FORMAT_JAEGER - 1] = "jaeger",
      [RADIUS_FORMAT_ZIPKIN - 1] = "zipkin",
      [RADIUS_FORMAT_GRAPHS - 1] = "graphs",
      [RADIUS_FORMAT_DOT - 1] = "dot",
      [RADIUS_FORMAT_CSV - 1] = "csv",
      [RADIUS_FORMAT_N - 1] = NULL,
  };
  options->format =
      (radius_format)(lab_option_word(state, option, value, words) + 1);
}

static void take_policy(radius_options *options, struct argp_state *state,
                        const char *option, const char *value) {
  (void)state;
  (void)option;
  radius_policy_read(&options->policy, value);
}

static void take_top(radius_options *options, struct argp_state *state,
                     const char *option, const char *value) {
  options->top = (uint32_t)lab_option_integer(state, option, value, 1, TOP_MAX);
}

static void take_json(radius_options *options, struct argp_state *state,
                      const char *option, const char *value) {
  (void)state;
  (void)option;
  (void)value;
  options->json = true;
}

static void take_html(radius_options *options, struct argp_state *state,
                      const char *option, const char *value) {
  (void)state;
  (void)option;
  options->html = value;
}

static const row rows[] = {
    {"format", "FORMAT",
     "jaeger, zipkin, graphs, dot or csv (default: by the content)", 1,
     take_format},

    {"policy", "FILE",
     "Read the settings of this group from a file: one a line, without the "
     "dashes, such as 'no-retry A-B'",
     2, take_policy},
    {"attempts", "K",
     "Attempts of each call, the first included: 1 to 5 (default 2)", 2, NULL},
    {"budget", "PERCENT",
     "Retries per call where there is a retry budget (default 10)", 2, NULL},
    {"eown", "all|none|LIST",
     "Services that run eown, with commas between them (default all, and the "
     "advice begins with none)",
     2, NULL},
    {"no-retry", "A-B",
     "The calls from A to B have no retry policy; may be repeated; 'A->B' "
     "where names have dashes",
     2, NULL},
    {"no-retry-service", "S",
     "None of the calls that S makes has a retry policy; may be repeated", 2,
     NULL},
    {"fail-open", "A-B", "A carries on without B; may be repeated", 2, NULL},

    {"top", "N", "Rows of each list, and pieces of advice (default 10)", 3,
     take_top},
    {"json", NULL, "Print one JSON object, not tables", 3, take_json},
    {"html", "FILE", "Also write the result as a page with pictures", 3,
     take_html},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static const char documentation[] =
    "How far would a retry storm spread? Reads call graphs and prints the "
    "radius (over how many consecutive hops attempts multiply) and the "
    "amplification (a service's load over its load without retries) when one "
    "service always fails: with retries alone, with retry budgets, with chain "
    "stop, and with error ownership; and where eown helps most.\v"
    "Files, plain or gzip, '-' for standard input:\n"
    "  jaeger   {\"data\":[{\"parent\":A,\"child\":B,\"callCount\":N},...]}\n"
    "  zipkin   [{\"parent\":A,\"child\":B,\"callCount\":N},...]\n"
    "  graphs   a graph a line: {\"service\":S,\"num\":N,\"edges\":"
    "[[A,B,WEIGHT,TYPE],...]}\n"
    "  dot      digraph { A -> B [calls=N] }\n"
    "  csv      A,B,N\n"
    "Roots are the services that USER calls, else those that nobody calls. "
    "Edges that are there twice are added up; an edge that closes a cycle is "
    "left out.\n\n"
    "Examples:\n"
    "  eown-lab radius dependencies.json\n"
    "  eown-lab radius graph.dot --attempts 3 --no-retry-service gateway\n"
    "  eown-lab radius calls.csv --eown 'cart,orders' --fail-open cart-ads";

static void take(const row *row, radius_options *options,
                 struct argp_state *state, const char *value) {
  char *option = lab_format("--%s", row->name);
  if (row->take) {
    row->take(options, state, option, value);
  } else {
    const char *expected =
        radius_policy_take(&options->policy, row->name, value, option);
    if (expected)
      lab_option_refuse(state, option, value, "%s", expected);
  }
  free(option);
}

static error_t parse(int key, char *value, struct argp_state *state) {
  radius_options *options = state->input;
  if (key == ARGP_KEY_ARG) {
    lab_arguments_add(&options->files, "%s", value);
    return 0;
  }
  if (key == ARGP_KEY_NO_ARGS)
    argp_error(state, "FILE: missing: expected call graphs to read");
  if (key < FIRST_KEY || key >= FIRST_KEY + (int)ROWS)
    return ARGP_ERR_UNKNOWN;
  take(&rows[key - FIRST_KEY], options, state, value);
  return 0;
}

void radius_options_read(radius_options *options, int argc, char **argv) {
  struct argp_option table[ROWS + 1] = {{0}};
  for (size_t i = 0; i < ROWS; i++)
    table[i] = (struct argp_option){
        .name = rows[i].name,
        .key = FIRST_KEY + (int)i,
        .arg = rows[i].value,
        .doc = rows[i].text,
        .group = rows[i].group,
    };
  const struct argp parser = {.options = table,
                              .parser = parse,
                              .args_doc = "FILE...",
                              .doc = documentation};
  *options = (radius_options){.top = 10};
  radius_policy_init(&options->policy);
  argp_parse(&parser, argc, argv, 0, NULL, options);
}

void radius_options_clear(radius_options *options) {
  lab_arguments_clear(&options->files);
  radius_policy_clear(&options->policy);
}
