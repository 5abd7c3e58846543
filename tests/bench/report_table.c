/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>
#include <string.h>

static void print_line(const line *line) {
  printf("%-18s %-6s %12.0f %+9.3f %%  %-16s %10.3f\n", line->name, line->path,
         line->instructions, report_percent(line), line->base,
         line->allocations);
}

static void print_goal(const goal *goal, const line *line) {
  printf("Goal: %s, %s: at most %+.1f %%%s: %s (%+.3f %%)\n", goal->name,
         goal->path, goal->percent,
         goal->no_allocation ? " and no allocation of eown's" : "",
         report_is_met(goal, line) ? "met" : "MISSED", report_percent(line));
}

static void print_goals(const report *report) {
  for (size_t i = 0; i < sizeof report_goals / sizeof *report_goals; i++) {
    const goal *goal = &report_goals[i];
    const line *line = report_find(report, goal->name, goal->path);
    if (line != NULL)
      print_goal(goal, line);
  }
}

/* Breaks the note into lines of at most 80 columns. */
static void print_note(const char *text) {
  while (strlen(text) > 80) {
    int end = 80;
    while (text[end] != ' ')
      end--;
    printf("%.*s\n", end, text);
    text += end + 1;
  }
  puts(text);
}

static void print_timings(const report *report) {
  puts("time, as ratio          median   lower quartile   upper quartile");
  for (size_t i = 0; i < report->timings_n; i++) {
    const timing *timing = &report->timings[i];
    printf("%-20s %9.4f %16.4f %16.4f\n", timing->name, timing->median,
           timing->low, timing->high);
  }
  puts("\nMedians of paired ratios: enforce over stock, and (noise) stock over "
       "stock;\none call at a time, and 32 at a time. Success path.");
}

void report_print_table(const report *report) {
  if (report->timings_n > 0) {
    print_timings(report);
    return;
  }
  printf("%-18s %-6s %12s %11s  %-16s %10s\n", "row", "path", "instr./RPC",
         "more", "than", "our alloc.");
  for (size_t i = 0; i < report->lines_n; i++)
    print_line(&report->lines[i]);
  putchar('\n');
  print_goals(report);
  putchar('\n');
  print_note(report_note);
}
