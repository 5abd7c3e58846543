/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Turns what the bench programs print into the table or into JSON. */
#include "report.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: eown-bench-report [--json] < LINES\n"
    "\n"
    "Prints the table, or JSON, of lines \"ROW PATH CALLS ALLOCATIONS\n"
    "INSTRUCTIONS\" or \"WHAT MEDIAN LOW HIGH\". tests/bench/run calls it.\n"
    "\n"
    "Example: echo 'stock ok 500 0 72000000' | eown-bench-report --json\n";

const goal report_goals[3] = {
    {"enforce", "ok", 0.5, true},
    {"enforce", "error", 2, false},
    {"enforce-loop", "ok", 0.2, true},
};

const char report_note[] =
    "Instructions of client and server together, in one process on one thread, "
    "over loopback TCP. Stock is gRPC C-core; on the error path its handler "
    "sends eown's metadata by hand. The interceptor row is gRPC C++ with a "
    "do-nothing interceptor pair; its ratio is to stock-cpp, the same C++ "
    "program without. A chain row is one call whose handler makes another: two "
    ""
    "RPCs. A loop row is a call inside a retry loop: eown's, and one by hand. "
    "Allocations are those whose caller is libeown or libeown-grpc (or "
    "the C and C++ runtime working for them); what libgrpc allocates for "
    "metadata that eown appends is gRPC's own.";

const line *report_find(const report *report, const char *name,
                        const char *path) {
  for (size_t i = 0; i < report->lines_n; i++) {
    const line *line = &report->lines[i];
    if (strcmp(line->name, name) == 0 && strcmp(line->path, path) == 0)
      return line;
  }
  return NULL;
}

double report_percent(const line *line) { return (line->ratio - 1) * 100; }

bool report_is_met(const goal *goal, const line *line) {
  return report_percent(line) <= goal->percent &&
         (!goal->no_allocation || line->allocations == 0);
}

/* "enforce-chain" is compared with "stock-chain", and so on. */
static const char *base_of(const char *name) {
  if (strcmp(name, "interceptor") == 0 || strcmp(name, "stock-cpp") == 0)
    return "stock-cpp";
  if (strcmp(name, "enforce-loop") == 0)
    return "hand-loop";
  if (strstr(name, "-chain") != NULL)
    return "stock-chain";
  return strstr(name, "-unclaimed") != NULL ? "stock-unclaimed" : "stock";
}

static void add_ratios(report *report) {
  for (size_t i = 0; i < report->lines_n; i++) {
    line *line = &report->lines[i];
    line->base = base_of(line->name);
    const struct line *base = report_find(report, line->base, line->path);
    line->ratio = base == NULL ? 0 : line->instructions / base->instructions;
  }
}

static bool read_line(report *report, const char *text) {
  line *line = &report->lines[report->lines_n];
  double calls, allocations, instructions;
  if (report->lines_n == REPORT_LINES_MAX ||
      sscanf(text, "%31s %7[a-z] %lf %lf %lf", line->name, line->path, &calls,
             &allocations, &instructions) != 5)
    return false;
  line->instructions = instructions / calls;
  line->allocations = allocations / calls;
  report->lines_n++;
  return true;
}

static bool read_timing(report *report, const char *text) {
  timing *timing = &report->timings[report->timings_n];
  if (report->timings_n == REPORT_LINES_MAX ||
      sscanf(text, "%31s %lf %lf %lf", timing->name, &timing->median,
             &timing->low, &timing->high) != 4)
    return false;
  report->timings_n++;
  return true;
}

static bool read_all(report *report) {
  char text[256];
  while (fgets(text, sizeof text, stdin) != NULL) {
    if (!read_line(report, text) && !read_timing(report, text)) {
      fprintf(stderr, "eown-bench-report: not understood: %s", text);
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  static report report;
  bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) {
    bool help = strcmp(argv[1], "--help") == 0;
    fputs(usage, help ? stdout : stderr);
    return help ? 0 : 2;
  }
  if (!read_all(&report))
    return 1;
  add_ratios(&report);
  (json ? report_print_json : report_print_table)(&report);
  return 0;
}
