/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* eown-lab peers. */
#include "fake.h"
#include "gtest_c.h"

#include <string.h>
#include <unistd.h>

static size_t count_lines(const char *text) {
  size_t lines = 0;
  for (; *text != '\0'; text++)
    lines += *text == '\n';
  return lines;
}

EOWN_TEST(Peers, ListNamesEachAndItsSetup) {
  fake fake;
  e2e_run run;
  char setup[128];
  fake_init(&fake, "python", NULL);
  fake_run(&fake, E2E_WORDS("peers", "c", "python"), &run);
  CHECK_EQ(0, run.status);
  CHECK_EQ(2, count_lines(run.output));
  CHECK_EQ(0, strncmp(run.output, "c ", 2));
  CHECK_CONTAINS("nothing to set up", run.output);
  snprintf(setup, sizeof setup, " %s/setup\n", fake.peer);
  CHECK_CONTAINS(setup, run.output);
  e2e_run_clear(&run);
  fake_clear(&fake);
}

EOWN_TEST(Peers, SetupsAreGivenOnce) {
  fake fake;
  e2e_run run;
  char expected[256];
  fake_init(&fake, "cpp", NULL);
  fake_run(
      &fake,
      E2E_WORDS("peers", "--setup", "cpp-async", "c", "go", "cpp", "cpp-plain"),
      &run);
  CHECK_EQ(0, run.status);
  snprintf(expected, sizeof expected, "%s/cpp/setup\n%s/go/setup\n",
           fake.folder, fake.folder);
  CHECK_STREQ(expected, run.output);
  e2e_run_clear(&run);
  fake_clear(&fake);
}

EOWN_TEST(Peers, AllAreInTheSourceTree) {
  e2e_run run;
  e2e_run_words(E2E_WORDS("/usr/bin/env", "-u", "EOWN_PEERS_DIR", E2E_LAB,
                          "peers", "--setup"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_GE(count_lines(run.output), 6);
  for (char *rest = NULL, *path = strtok_r(run.output, "\n", &rest);
       path != NULL; path = strtok_r(NULL, "\n", &rest)) {
    TEST_TRACE("%s", path);
    CHECK_EQ(0, access(path, X_OK));
    memcpy(strrchr(path, '/'), "/node", sizeof "/node");
    CHECK_EQ(0, access(path, X_OK));
  }
  e2e_run_clear(&run);
}
