/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: eown-bench --row NAME [--path ok|error] [--rpcs N] [--warmup N]\n"
    "                  [--rounds N]\n"
    "       eown-bench --time [--rpcs N] [--pairs N]\n"
    "\n"
    "Makes unary RPCs between a client and a server in this process, over\n"
    "loopback TCP, on one thread. tests/bench/run counts its instructions.\n"
    "\n"
    "  --row NAME    how both are set up; one of those below\n"
    "  --path PATH   how the calls end (ok)\n"
    "  --rpcs N      calls that are counted in a round (100), or timed\n"
    "  --warmup N    calls before them that are not (50)\n"
    "  --rounds N    rounds, each with a new client and server (10)\n"
    "  --time        measure time, stock and enforce in turn\n"
    "  --pairs N     pairs of stock and enforce to measure (101)\n"
    "\n"
    "Prints \"ROW PATH CALLS ALLOCATIONS\", or lines \"WHAT MEDIAN LOW "
    "HIGH\".\n"
    "\n"
    "Example: eown-bench --row enforce --path error\n"
    "\n"
    "Rows:";

static void print_row(const row *row) { printf(" %s", row->name); }

static void help(void) {
  fputs(usage, stdout);
  row_each(print_row);
  putchar('\n');
  exit(0);
}

_Noreturn static void refuse(const char *option, const char *value,
                             const char *expected) {
  fprintf(stderr, "eown-bench: --%s \"%s\": expected %s (see --help)\n", option,
          value, expected);
  exit(2);
}

static uint64_t number(const char *option, const char *text) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*end != '\0' || value == 0 || value > 100000000)
    refuse(option, text, "a number from 1 to 100000000");
  return value;
}

static bool is_error(const char *path) {
  bool error = strcmp(path, "error") == 0;
  if (!error && strcmp(path, "ok") != 0)
    refuse("path", path, "ok or error");
  return error;
}

static const row *find(const char *name) {
  const row *row = row_find(name);
  if (row == NULL)
    refuse("row", name, "the name of a row");
  return row;
}

static void set(options *options, int option, const char *value) {
  switch (option) {
  case 'r':
    options->row = find(value);
    break;
  case 'p':
    options->error = is_error(value);
    break;
  case 'n':
    options->rpcs = number("rpcs", value);
    break;
  case 'w':
    options->warmup = number("warmup", value);
    break;
  case 'R':
    options->rounds = number("rounds", value);
    break;
  case 'P':
    options->pairs = number("pairs", value);
    break;
  case 't':
    options->time = true;
    break;
  case 'h':
    help();
    break;
  default:
    exit(2);
  }
}

void options_read(options *options, int argc, char **argv) {
  static const struct option names[] = {
      {"row", required_argument, NULL, 'r'},
      {"path", required_argument, NULL, 'p'},
      {"rpcs", required_argument, NULL, 'n'},
      {"warmup", required_argument, NULL, 'w'},
      {"rounds", required_argument, NULL, 'R'},
      {"pairs", required_argument, NULL, 'P'},
      {"time", no_argument, NULL, 't'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0},
  };
  *options =
      (struct options){.rpcs = 100, .warmup = 50, .rounds = 10, .pairs = 101};
  for (int found; (found = getopt_long(argc, argv, "", names, NULL)) != -1;)
    set(options, found, optarg);
  if (options->time == (options->row != NULL))
    refuse("row", "", "either --row or --time");
  if (options->row != NULL && options->error && options->row->chain)
    refuse("path", "error", "ok for the rows of a chain");
}
