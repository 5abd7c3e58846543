/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The benchmark itself: each row runs, success allocates nothing of eown's, and
 * the report is JSON. No times and no counts of instructions here. */
#include "gtest_c.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define SIZE 65536

/* Runs `command` and returns its exit status; what it prints goes to `text`. */
static int run(const char *command, char *text) {
  FILE *pipe = popen(command, "r");
  size_t length = pipe == NULL ? 0 : fread(text, 1, SIZE - 1, pipe);
  text[length] = '\0';
  return pipe == NULL ? -1 : pclose(pipe);
}

static void check_row(const char *program, const char *name, const char *path) {
  char command[512], text[SIZE], expected[64];
  snprintf(command, sizeof command,
           "%s --row %s --path %s --rpcs 3 --warmup 2 --rounds 2", program,
           name, path);
  snprintf(expected, sizeof expected, "%s %s 6 0\n", name, path);
  CHECK_EQ(0, run(command, text));
  CHECK_STREQ(expected, text);
}

EOWN_TEST(Bench, RowsRunAndEownAllocatesNothing) {
  static const char *const both[] = {"stock", "off", "observe", "enforce"};
  for (size_t i = 0; i < 4; i++) {
    check_row(BENCH_ALLOCATIONS, both[i], "ok");
    check_row(BENCH_ALLOCATIONS, both[i], "error");
  }
  check_row(BENCH_ALLOCATIONS, "enforce-chain", "ok");
  check_row(BENCH_ALLOCATIONS, "enforce-loop", "ok");
  check_row(BENCH_ALLOCATIONS, "enforce-unclaimed", "error");
}

EOWN_TEST(Bench, PeerRuns) {
  check_row(BENCH_CPP, "stock-cpp", "ok");
  check_row(BENCH_CPP, "interceptor", "ok");
  check_row(BENCH_CPP, "interceptor", "error");
}

EOWN_TEST(Bench, TimeRuns) {
  char text[SIZE];
  CHECK_EQ(0, run(BENCH " --time --rpcs 40 --pairs 3", text));
  CHECK_TRUE(strstr(text, "time-at-32 ") != NULL);
}

static json_t *report_of(const char *lines) {
  char command[512], text[SIZE];
  snprintf(command, sizeof command, "printf '%s' | %s --json", lines,
           BENCH_REPORT);
  CHECK_EQ(0, run(command, text));
  return json_loads(text, 0, NULL);
}

EOWN_TEST(Bench, ReportIsJson) {
  json_t *report = report_of("stock ok 10 0 1000\\nenforce ok 10 5 1010\\n");
  REQUIRE_TRUE(report != NULL);
  const char *name = NULL;
  double instructions = 0, ratio = 0, allocations = 0;
  CHECK_EQ(0,
           json_unpack(json_array_get(json_object_get(report, "rows"), 1),
                       "{s:s, s:F, s:F, s:F}", "name", &name,
                       "instructions_per_rpc", &instructions, "ratio_to_stock",
                       &ratio, "allocations_of_ours_per_rpc", &allocations));
  CHECK_STREQ("enforce", name);
  CHECK_TRUE(instructions > 100.9 && instructions < 101.1);
  CHECK_TRUE(ratio > 1.0099 && ratio < 1.0101);
  CHECK_TRUE(allocations > 0.49 && allocations < 0.51);
  json_decref(report);
}
