/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run_policy(test_run *run, const char *text, const char *policy) {
  char *path = test_file(policy, strlen(policy));
  char options[256];
  snprintf(options, sizeof(options), "--json --policy %s", path);
  test_run_text(run, text, options);
  unlink(path);
  free(path);
}

/* A file says what the options say. */
EOWN_TEST(RadiusPolicy, FileAndOptions) {
  static const char text[] = "A,B\nB,C\nC,D\nB,E\nE,F\n";
  test_run file;
  test_run line;
  run_policy(&file, text,
             "# ours\nattempts 3\n  budget 20 \n\neown B,C\nno-retry C-D\n"
             "no-retry-service E\nfail-open\tA-B\n");
  test_run_text(&line, text,
                "--json --attempts 3 --budget 20 --eown B,C --no-retry C-D "
                "--no-retry-service E --fail-open A-B");
  CHECK_EQ(0, file.status);
  CHECK_STREQ(line.out, file.out);
  CHECK_TRUE(strlen(file.out) > 100);
  test_run_clear(&file);
  test_run_clear(&line);
}

static void check_bad(const char *policy, const char *part) {
  TEST_TRACE("%s", policy);
  test_run run;
  run_policy(&run, "A,B\n", policy);
  CHECK_EQ(2, run.status);
  CHECK_STREQ("", run.out);
  CHECK_CONTAINS(part, run.err);
  CHECK_CONTAINS("expected", run.err);
  test_run_clear(&run);
}

EOWN_TEST(RadiusPolicy, BadFiles) {
  check_bad("\nattempts many\n", ":2: attempts 'many' is not valid");
  check_bad("attempts\n", ":1: attempts '' is not valid");
  check_bad("retry A-B\n", "no-retry, no-retry-service or fail-open");
  check_bad("budget 1 2\n", ":1: budget '1 2' is not valid");
  check_bad("# x\n# y\nno-retry A-C\n", ":3: no-retry: no graph has an edge");
  check_bad("no-retry-service\n", "expected the name of a service");
}

EOWN_TEST(RadiusPolicy, NamesWithDashes) {
  test_run run;
  test_run_text(&run, "api-gate,cart\ncart,shop-db\n",
                "--json --no-retry api-gate->cart --fail-open cart->shop-db");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.0.amplification.stock"), 0);
  test_run_clear(&run);
}

/* All, none and a list; the last of them is there with what all would give. */
EOWN_TEST(RadiusPolicy, RollOut) {
  static const char text[] = "A,B\nB,C\nC,D\n";
  test_run run;
  test_run_text(&run, text, "--json --eown all");
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.ownership"), 0);
  CHECK_NEAR(-1, test_number(run.json, "roots.0.radius.ownership_full"), 0);
  test_run_clear(&run);
  test_run_text(&run, text, "--json --eown none");
  CHECK_NEAR(3, test_number(run.json, "roots.0.radius.ownership"), 0);
  CHECK_NEAR(8, test_number(run.json, "roots.0.amplification.ownership"), 0);
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.ownership_full"), 0);
  test_run_clear(&run);
  test_run_text(&run, text, "--json --eown C");
  CHECK_NEAR(2, test_number(run.json, "roots.0.radius.ownership"), 0);
  CHECK_NEAR(4, test_number(run.json, "roots.0.amplification.ownership"), 0);
  test_run_clear(&run);
}

/* A fail-open edge ends the error, and its own attempts still multiply. */
EOWN_TEST(RadiusPolicy, FailOpen) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--json --fail-open C-D");
  CHECK_NEAR(2, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(4, test_number(run.json, "roots.0.amplification.stock"), 0);
  test_run_clear(&run);
  test_run_text(&run, "A,B\nB,C\n", "--json --fail-open A-B --fail-open B-C");
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(2, test_number(run.json, "roots.0.amplification.stock"), 0);
  test_run_clear(&run);
}

EOWN_TEST(RadiusPolicy, Budget) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\n", "--json --budget 50");
  CHECK_NEAR(2.25, test_number(run.json, "roots.0.amplification.budget"), 1e-9);
  test_run_clear(&run);
  test_run_text(&run, "A,B\nB,C\n", "--json --budget 300");
  CHECK_NEAR(4, test_number(run.json, "roots.0.amplification.budget"), 1e-9);
  test_run_clear(&run);
}
