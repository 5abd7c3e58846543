/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* What eown-lab simulate refuses: a message that names the option, the value
 * and what was expected, status 2, nothing printed. */
#include "gtest_c.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_refused(const char *const *words, const char *message) {
  const char *all[E2E_WORDS_MAX] = {EOWN_LAB, "simulate"};
  e2e_run run;
  e2e_words_add(all, words);
  TEST_TRACE("%s", words[0]);
  e2e_run_words(all, &run);
  CHECK_EQ(2, run.status);
  CHECK_STREQ("", run.output);
  CHECK_CONTAINS(message, run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(SimulateOptions, Numbers) {
  static const struct {
    const char *argument, *message;
  } rows[] = {
      {"--services=0", "--services: '0' is not valid: expected a whole number "
                       "from 1 to 1000000"},
      {"--services=1000001", "--services: '1000001'"},
      {"--services=-7", "--services: '-7'"},
      {"--services=1e3", "--services: '1e3'"},
      {"--depth=0", "--depth: '0'"},
      {"--depth=513", "--depth: '513'"},
      {"--depth=8", "--depth: '8' is not valid: expected at most 7"},
      {"--depth=1", "--depth: '1' is not valid: expected 2 to 7"},
      {"--callees=0", "--callees: '0'"},
      {"--fan-out=nan", "--fan-out: 'nan' is not valid: expected a number"},
      {"--fan-out=-1", "--fan-out: '-1'"},
      {"--fan-out=inf", "--fan-out: 'inf'"},
      {"--attempts=0", "--attempts: '0'"},
      {"--attempts=6", "--attempts: '6' is not valid: expected a whole number "
                       "from 1 to 5"},
      {"--retry-by=eown", "--retry-by: 'eown' is not valid: expected one of "
                          "grpc, application, both"},
      {"--retry-by=", "--retry-by: '' is not valid"},
      {"--budget=-1", "--budget: '-1'"},
      {"--budget=ten", "--budget: 'ten'"},
      {"--throttle-tokens=0", "--throttle-tokens: '0'"},
      {"--no-retry-share=101", "--no-retry-share: '101' is not valid: expected "
                               "a number from 0 to 100"},
      {"--fail-open-share=x", "--fail-open-share: 'x'"},
      {"--drop-share=-0.1", "--drop-share: '-0.1'"},
      {"--eown-share=", "--eown-share: ''"},
      {"--fail-all=1.5", "--fail-all: '1.5'"},
      {"--correlated=1", "--correlated: '1'"},
      {"--requests=0", "--requests: '0'"},
      {"--requests=99999999999999999999", "--requests: '999"},
      {"--rate=0", "--rate: '0'"},
      {"--seed=-1", "--seed: '-1'"},
      {"--threads=0", "--threads: '0'"},
      {"--threads=257", "--threads: '257'"},
      {"--memory=maybe", "--memory: 'maybe' is not valid: expected one of off, "
                         "on"},
      {"--mode=fast", "--mode: 'fast' is not valid: expected one of stock, "
                      "budget, throttle, chain_stop, ownership"},
      {"--mode=stock,stock", "--mode: 'stock' is not valid: expected each mode "
                             "once"},
      {"--mode=stock,", "--mode: '' is not valid"},
      {"--scenario=calm", "--scenario: 'calm' is not valid: expected one of "
                          "metastable"},
      {"--nonsense", "unrecognized option '--nonsense'"},
      {"chain", "'chain' is not valid: expected options only"},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
    check_refused(E2E_WORDS(rows[i].argument), rows[i].message);
  check_refused(E2E_WORDS("--services=1000", "--callees=50", "--fan-out=50"),
                "--fan-out: a root request makes");
}

EOWN_TEST(SimulateOptions, Services) {
  static const char *const bad[] = {"Z=1", "A",  "A=", "A=2", "A=-1",
                                    "A=x", "=1", "",   "a=1"};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
    char message[64];
    snprintf(message, sizeof(message), "--fail: '%s' is not valid", bad[i]);
    check_refused(E2E_WORDS("--fail", bad[i]), message);
  }
  check_refused(E2E_WORDS("--fail", "Z=1"),
                "expected SERVICE=NUMBER, of a service from A to G, and from 0 "
                "to 1");
  check_refused(E2E_WORDS("--overload", "G=0"), "--overload: 'G=0'");
}

EOWN_TEST(SimulateOptions, Overload) {
  static const char *const bad[] = {"1,2",       "1,2,3",    "1,2,0",
                                    "-1,2,0.5",  "1,2,0.5,", "a,b,c",
                                    "nan,1,0.5", ""};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    check_refused(E2E_WORDS("--overload", "G=100", "--trigger", bad[i]),
                  "--trigger: '");
  check_refused(E2E_WORDS("--queue", "5"), "need --overload");
  check_refused(E2E_WORDS("--overload", "G=100", "--seconds", "0"),
                "--seconds: '0'");
}

static void write_file(char *path, const char *text) {
  strcpy(path, "/tmp/eown-simulate-XXXXXX");
  int file = mkstemp(path);
  REQUIRE_TRUE(file >= 0);
  CHECK_EQ(strlen(text), write(file, text, strlen(text)));
  close(file);
}

EOWN_TEST(SimulateOptions, Graphs) {
  char path[32];
  check_refused(E2E_WORDS("--graph", "/no/such/file"), "/no/such/file");
  check_refused(E2E_WORDS("--graph", ""), "--graph: ''");
  check_refused(E2E_WORDS("--root", "a"), "--root: 'a'");
  static const char *const bad[] = {"",
                                    "{",
                                    "[{\"parent\":1}]",
                                    "caller,callee,calls\na,b,-1\n",
                                    "caller,callee,calls\na,b,nan\n",
                                    "digraph { a -> "};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
    write_file(path, bad[i]);
    check_refused(E2E_WORDS("--graph", path), path);
    unlink(path);
  }
  write_file(path, "caller,callee,calls\na,b,1\n");
  check_refused(E2E_WORDS("--graph", path, "--root", "b"), "--root: 'b'");
  check_refused(E2E_WORDS("--graph", path, "--fail", "c=1"), "--fail: 'c=1'");
  unlink(path);
}

EOWN_TEST(SimulateOptions, Help) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "simulate", "--help"), &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("Examples:", run.output);
  CHECK_CONTAINS("--scenario metastable", run.output);
  CHECK_CONTAINS("eown-lab simulate --retry-by both", run.output);
  e2e_run_clear(&run);
}
