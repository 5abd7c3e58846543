/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Bad input: status 2, nothing on standard output, and a message that names the
 * option, the value and what was expected. */
#include "gtest_c.h"
#include "run.h"

#include <stddef.h>

#define PARTS_MAX 3

typedef struct bad {
  const char *words[6];
  const char *parts[PARTS_MAX]; /* of the message */
} bad;

static const bad lab_bad[] = {
    {{NULL}, {"COMMAND", "missing", "one of chain"}},
    {{"storm"}, {"COMMAND", "'storm'", "one of chain"}},
    {{"--bogus"}, {"--bogus"}},
    {{"chain", "--bogus"}, {"--bogus"}},
    {{"chain", "word"}, {"'word'", "options only"}},
    {{"chain", "--requests"}, {"--requests", "requires an argument"}},
    {{"chain", "--fail", "D=2"}, {"--fail", "'D=2'", "rate from 0 to 1"}},
    {{"chain", "--fail", "D=-0.1"}, {"--fail", "'D=-0.1'", "from 0 to 1"}},
    {{"chain", "--fail", "D=nan"}, {"--fail", "'D=nan'", "from 0 to 1"}},
    {{"chain", "--fail", "D"}, {"--fail", "'D'", "NODE=RATE"}},
    {{"chain", "--fail", "E=1"}, {"--fail", "'E=1'", "A to D"}},
    {{"chain", "--nodes", "5", "--fail", "F=1"}, {"--fail", "'F=1'", "A to E"}},
    {{"chain", "--nodes", "1"}, {"--nodes", "'1'", "2 to 26"}},
    {{"chain", "--nodes", "27"}, {"--nodes", "'27'", "2 to 26"}},
    {{"chain", "--kill", "E"}, {"--kill", "'E'", "A to D"}},
    {{"chain", "--stock", "b"}, {"--stock", "'b'", "A to D"}},
    {{"chain", "--drop", "D"}, {"--drop", "'D'", "A to C"}},
    {{"chain", "--no-retry", "D"}, {"--no-retry", "'D'", "A to C"}},
    {{"chain", "--fail-open", "A-C"}, {"--fail-open", "'A-C'", "neighbours"}},
    {{"chain", "--status", "BAD"}, {"--status", "'BAD'", "UNAVAILABLE"}},
    {{"chain", "--status", "OK"}, {"--status", "'OK'", "other than OK"}},
    {{"chain", "--attempts", "0"}, {"--attempts", "'0'", "1 to 5"}},
    {{"chain", "--attempts", "6"}, {"--attempts", "'6'", "1 to 5"}},
    {{"chain", "--attempts", "2x"}, {"--attempts", "'2x'", "1 to 5"}},
    {{"chain", "--retry-by", "me"},
     {"--retry-by", "'me'", "grpc, application, both"}},
    {{"chain", "--budget", "-1"}, {"--budget", "'-1'", "0 to 1000"}},
    {{"chain", "--budget", "10%"}, {"--budget", "'10%'", "0 to 1000"}},
    {{"chain", "--mode", "on"}, {"--mode", "'on'", "off, observe, enforce"}},
    {{"chain", "--context", "x"}, {"--context", "'x'", "parent, thread"}},
    {{"chain", "--requests", "0"}, {"--requests", "'0'", "whole number"}},
    {{"chain", "--requests", "-5"}, {"--requests", "'-5'", "whole number"}},
    {{"chain", "--concurrency", "0"}, {"--concurrency", "'0'", "1 to 4096"}},
    {{"chain", "--seed", "x"}, {"--seed", "'x'", "whole number"}},
    {{"chain", "--eown", "x"}, {"--eown", "'x'", "KEY=VALUE"}},
    {{"chain", "--eown", "nope=1"}, {"--eown", "nope"}},
    {{"chain", "--eown", "chain_stop=2"}, {"--eown", "chain_stop", "0 or 1"}},
    {{"published", "--only", "zzz"}, {"--only", "'zzz'", "ownership alone"}},
    {{"published", "--seed", "x"}, {"--seed", "'x'", "whole number"}},
    {{"published", "--bogus"}, {"--bogus"}},
    {{"published", "word"}, {"'word'", "options only"}},
};

static const bad node_bad[] = {
    {{"--bogus"}, {"--bogus"}},
    {{"word"}, {"'word'", "options only"}},
    {{"--name", "a b"}, {"--name", "'a b'", "letters"}},
    {{"--name", ""}, {"--name", "''", "1 to 63"}},
    {{"--listen", "127.0.0.1"}, {"--listen", "'127.0.0.1'", "HOST:PORT"}},
    {{"--listen", "h:65536"}, {"--listen", "'h:65536'", "0 to 65535"}},
    {{"--callee", "X"}, {"--callee", "'X'", "NAME=HOST:PORT"}},
    {{"--callee", "X=h:1,open"}, {"--callee", "'X=h:1,open'", "fail-open"}},
    {{"--fail-rate", "1.5"}, {"--fail-rate", "'1.5'", "0 to 1"}},
    {{"--fail-rate", "nan"}, {"--fail-rate", "'nan'", "0 to 1"}},
    {{"--fail-rate", "x"}, {"--fail-rate", "'x'", "0 to 1"}},
    {{"--fail-status", "BAD"}, {"--fail-status", "'BAD'", "UNAVAILABLE"}},
    {{"--fail-status", "OK"}, {"--fail-status", "'OK'", "other than OK"}},
    {{"--retry-codes", "INTERNAL,"}, {"--retry-codes", "'INTERNAL,'", "names"}},
    {{"--attempts", "0"}, {"--attempts", "'0'", "1 to"}},
    {{"--attempts", "x"}, {"--attempts", "'x'", "whole number"}},
    {{"--retry-by", "me"}, {"--retry-by", "'me'", "grpc, application or both"}},
    {{"--ownership", "on"}, {"--ownership", "'on'", "stock, off, observe"}},
    {{"--context", "x"}, {"--context", "'x'", "parent, thread"}},
    {{"--eown", "x"}, {"--eown", "'x'", "KEY=VALUE"}},
    {{"--eown", "nope=1"}, {"--eown", "'nope=1'", "one of eown's settings"}},
    {{"--eown-server", "chain_stop=2"},
     {"--eown-server", "'chain_stop=2'", "0 or 1"}},
    {{"--eown-channel", "pins=x"}, {"--eown-channel", "'pins=x'", "fail-open"}},
    {{"--delay-ms", "-1"}, {"--delay-ms", "'-1'", "whole number"}},
    {{"--timeout-ms", "0"}, {"--timeout-ms", "'0'", "1 to"}},
    {{"--threads", "0"}, {"--threads", "'0'", "1 to 64"}},
    {{"--tls", ""}, {"--tls", "''", "not empty"}},
};

static void check_bad(const char *program, const bad *bad) {
  const char *all[E2E_WORDS_MAX] = {program, NULL};
  e2e_words_add(all, bad->words);
  e2e_run run;
  e2e_run_words(all, &run);
  TEST_TRACE("%s %s %s %s", program, all[1] ? all[1] : "",
             all[1] && all[2] ? all[2] : "",
             all[1] && all[2] && all[3] ? all[3] : "");
  CHECK_EQ(2, run.status);
  CHECK_STREQ("", run.output);
  for (size_t i = 0; i < PARTS_MAX && bad->parts[i] != NULL; i++)
    CHECK_CONTAINS(bad->parts[i], run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(Options, LabRefusesBadOnes) {
  for (size_t i = 0; i < sizeof lab_bad / sizeof lab_bad[0]; i++)
    check_bad(E2E_LAB, &lab_bad[i]);
}

EOWN_TEST(Options, NodeRefusesBadOnes) {
  for (size_t i = 0; i < sizeof node_bad / sizeof node_bad[0]; i++)
    check_bad(E2E_NODE, &node_bad[i]);
}

static void check_good(const char *const *words, const char *part) {
  TEST_TRACE("%s %s", words[0], words[1]);
  e2e_run run;
  e2e_run_words(words, &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS(part, run.output);
  CHECK_STREQ("", run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(Options, HelpHasExamples) {
  check_good(E2E_WORDS(E2E_LAB, "--help"), "Examples:");
  check_good(E2E_WORDS(E2E_LAB, "chain", "--help"), "Examples:");
  check_good(E2E_WORDS(E2E_LAB, "published", "--help"), "Examples:");
  check_good(E2E_WORDS(E2E_NODE, "--help"), "Examples:");
}

EOWN_TEST(Options, VersionIsNamed) {
  check_good(E2E_WORDS(E2E_LAB, "--version"), "eown-lab ");
  check_good(E2E_WORDS(E2E_NODE, "--version"), "eown-node ");
}
