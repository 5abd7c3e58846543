/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/option.h"
#include "lab/command.h"
#include "memory.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct options {
  const char *source;
  const char *service;
  uint64_t half_life_s;
  bool json;
} options;

enum key { KEY_SERVICE = 256, KEY_HALF_LIFE, KEY_JSON };

static const struct argp_option table[] = {
    {"service", KEY_SERVICE, "NAME", 0,
     "The service whose memory it is: needed for Redis, checked for a file", 0},
    {"half-life", KEY_HALF_LIFE, "SECONDS", 0,
     "eown.memory_half_life_s of the service (default 86400)", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, not a table", 1},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state) {
  options *o = state->input;
  switch (key) {
  case KEY_SERVICE:
    o->service = value;
    return 0;
  case KEY_HALF_LIFE:
    o->half_life_s =
        lab_option_integer(state, "--half-life", value, 1, 1u << 30);
    return 0;
  case KEY_JSON:
    o->json = true;
    return 0;
  case ARGP_KEY_ARG:
    if (o->source)
      argp_error(state, "'%s' is not valid: expected one SOURCE", value);
    o->source = value;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "SOURCE: missing: expected a memory file or redis://...");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int lab_memory_command(int argc, char **argv) {
  static const struct argp parser = {
      .options = table,
      .parser = parse,
      .args_doc = "FILE|redis://[:PASSWORD@]HOST:PORT",
      .doc = "What a service has learned of its outbound calls: for each "
             "inbound and outbound method the evidence, the verdict, how sure "
             "it is, the pin, and how long ago the outbound failed last.\v"
             "Examples:\n"
             "  eown-lab memory /var/lib/shop/memory\n"
             "  eown-lab memory redis://localhost:6379 --service shop.Cart"};
  options o = {.half_life_s = 86400};
  argp_parse(&parser, argc, argv, 0, NULL, &o);
  char *json = lab_memory_read(o.source, o.service, o.half_life_s * 1000);
  if (o.json)
    puts(json);
  else
    lab_memory_print_table(json);
  free(json);
  return 0;
}
