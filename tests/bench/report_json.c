/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

static double rounded(double value, double unit) {
  return round(value / unit) * unit;
}

static json_t *line_json(const line *line) {
  return json_pack(
      "{s:s, s:s, s:f, s:s, s:f, s:f}", "name", line->name, "path", line->path,
      "instructions_per_rpc", rounded(line->instructions, 1), "ratio_of",
      line->base, "ratio_to_stock", rounded(line->ratio, 1e-5),
      "allocations_of_ours_per_rpc", rounded(line->allocations, 1e-4));
}

static json_t *lines_json(const report *report) {
  json_t *rows = json_array();
  for (size_t i = 0; i < report->lines_n; i++)
    json_array_append_new(rows, line_json(&report->lines[i]));
  return rows;
}

static json_t *goal_json(const goal *goal, const line *line) {
  return json_pack("{s:s, s:s, s:f, s:b, s:f, s:b}", "name", goal->name, "path",
                   goal->path, "percent_at_most", goal->percent,
                   "no_allocation", goal->no_allocation, "percent",
                   rounded(report_percent(line), 1e-3), "met",
                   report_is_met(goal, line));
}

static json_t *goals_json(const report *report) {
  json_t *goals = json_array();
  for (size_t i = 0; i < sizeof report_goals / sizeof *report_goals; i++) {
    const goal *goal = &report_goals[i];
    const line *line = report_find(report, goal->name, goal->path);
    if (line != NULL)
      json_array_append_new(goals, goal_json(goal, line));
  }
  return goals;
}

static json_t *timings_json(const report *report) {
  json_t *timings = json_array();
  for (size_t i = 0; i < report->timings_n; i++) {
    const timing *timing = &report->timings[i];
    json_array_append_new(
        timings, json_pack("{s:s, s:f, s:f, s:f}", "name", timing->name,
                           "median_ratio", timing->median, "lower_quartile",
                           timing->low, "upper_quartile", timing->high));
  }
  return timings;
}

void report_print_json(const report *report) {
  json_t *json =
      report->timings_n > 0
          ? json_pack("{s:o}", "times", timings_json(report))
          : json_pack("{s:o, s:o, s:s}", "rows", lines_json(report), "goals",
                      goals_json(report), "note", report_note);
  json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
  putchar('\n');
  json_decref(json);
}
