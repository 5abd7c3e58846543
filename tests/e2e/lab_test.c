/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* eown-lab beside its figures: the published scenarios, nodes that misbehave,
 * interruption. */
#include "gtest_c.h"
#include "lab.h"
#include "scratch.h"
#include "watch.h"

#include <signal.h>
#include <string.h>

#define NODES 4

EOWN_TEST(Published, ScenarioHolds) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "published", "--json", "--only",
                          "nobody with retries"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *json = e2e_lab_parse(&run);
  CHECK_EQ(NODES, json_array_size(e2e_json_find(json, "scenarios")));
  CHECK_STREQ("nobody with retries: D",
              e2e_json_text(json, "scenarios.3.name"));
  CHECK_NEAR(1, e2e_json_number(json, "scenarios.3.measured"), 1e-9);
  CHECK_TRUE(json_is_true(e2e_json_find(json, "scenarios.3.pass")));
  json_decref(json);
  e2e_run_clear(&run);
}

/* Nodes that have no retries where the scenario wants them. */
EOWN_TEST(Published, DifferenceIsAFailure) {
  e2e_scratch scratch;
  e2e_scratch_init(&scratch);
  const char *node = e2e_scratch_script(&scratch, "exec \"" E2E_NODE
                                                  "\" \"$@\" --attempts 1\n");
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "published", "--json", "--only",
                          "context drop at C", "--node-binary", node),
                &run);
  CHECK_EQ(1, run.status);
  json_t *json = e2e_lab_parse(&run);
  CHECK_TRUE(json_is_true(e2e_json_find(json, "scenarios.0.pass")));
  CHECK_TRUE(json_is_false(e2e_json_find(json, "scenarios.3.pass")));
  json_decref(json);
  e2e_run_clear(&run);
  e2e_scratch_clear(&scratch);
}

static void check_refused(const char *script, const char *part) {
  e2e_scratch scratch;
  e2e_scratch_init(&scratch);
  const char *node = e2e_scratch_script(&scratch, script);
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "chain", "--json", "--requests", "10",
                          "--node-binary", node),
                &run);
  CHECK_EQ(1, run.status);
  CHECK_STREQ("", run.output);
  CHECK_CONTAINS(part, run.errors);
  e2e_run_clear(&run);
  e2e_scratch_clear(&scratch);
}

EOWN_TEST(Misbehaving, NodeThatDoesNotStart) {
  check_refused("echo out of order >&2\nexit 3\n", "D: out of order");
}

/* As a sanitizer does: a report on standard error, and a status of its own
 * after everything else went well. */
EOWN_TEST(Misbehaving, NodeThatEndsWithAReport) {
  check_refused("trap 'kill -TERM $node' TERM\n"
                "\"" E2E_NODE "\" \"$@\" &\n"
                "node=$!\n"
                "while kill -0 $node 2>&-; do wait $node; done\n"
                "echo a report >&2\n"
                "exit 66\n",
                "a report");
}

EOWN_TEST(Misbehaving, NodeThatIsNotThere) {
  e2e_run run;
  e2e_run_words(
      E2E_WORDS(E2E_LAB, "chain", "--node-binary", "/nonexistent/node"), &run);
  CHECK_EQ(1, run.status);
  CHECK_CONTAINS("/nonexistent/node", run.errors);
  e2e_run_clear(&run);
}

/* The lab, with a folder for its certificates, under a load without end. */
static void start_endless(e2e_child *lab, const e2e_scratch *scratch) {
  char variable[512];
  snprintf(variable, sizeof variable, "TMPDIR=%s", scratch->folder);
  e2e_child_start(lab, E2E_WORDS("/usr/bin/env", variable, E2E_LAB, "chain",
                                 "--tls", "--json", "--requests", "100000000"));
}

static void check_interrupt(int signal_number) {
  TEST_TRACE("%s", strsignal(signal_number));
  e2e_scratch scratch;
  e2e_child lab;
  e2e_run run;
  e2e_scratch_init(&scratch);
  start_endless(&lab, &scratch);
  pid_t nodes[NODES];
  REQUIRE_TRUE(e2e_watch_children(lab.pid, "eown-node", nodes, NODES));
  CHECK_FALSE(e2e_scratch_is_empty(&scratch));
  kill(lab.pid, signal_number);
  e2e_child_finish(&lab, &run);
  CHECK_EQ(128 + signal_number, run.status);
  CHECK_STREQ("", run.output);
  for (size_t i = 0; i < NODES; i++)
    CHECK_FALSE(e2e_watch_is_alive(nodes[i], "eown-node"));
  CHECK_TRUE(e2e_scratch_is_empty(&scratch));
  e2e_run_clear(&run);
  e2e_scratch_clear(&scratch);
}

EOWN_TEST(Interrupt, LeavesNothingBehind) {
  check_interrupt(SIGINT);
  check_interrupt(SIGTERM);
}
