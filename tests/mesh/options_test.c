/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Bad options: status 2 and a message that names them. */
#include "gtest_c.h"
#include "run.h"

typedef struct bad {
  const char *words[8];
  const char *message;
} bad;

#define NAMES "c, python, ruby, node, go, cpp"

static const bad bads[] = {
    {{"mesh", "--bogus"}, "--bogus"},
    {{"mesh", "word"}, "'word' is not valid: expected options only"},
    {{"mesh", "--peers", "cobol"},
     "--peers: 'cobol' is not valid: expected some of " NAMES},
    {{"mesh", "--peers", "c,"}, "--peers: 'c,' is not valid"},
    {{"mesh", "--peers", ""}, "--peers: '' is not valid"},
    {{"mesh", "--peers", "c,cp"}, "--peers: 'c,cp' is not valid"},
    {{"mesh", "--requests", "0"},
     "--requests: '0' is not valid: expected a whole number from 1"},
    {{"mesh", "--chain-requests", "-1"},
     "--chain-requests: '-1' is not valid: expected a whole number from 0"},
    {{"mesh", "--timeout", "0"}, "--timeout: '0' is not valid"},
    {{"peers", "cobol"}, "PEER: 'cobol' is not valid: expected one of " NAMES},
    {{"peers", "--bogus"}, "--bogus"},
    {{"chain", "--peer", "cobol"},
     "--peer: 'cobol' is not valid: expected PEER to be one of " NAMES},
    {{"chain", "--peer", "E=c"},
     "--peer: 'E=c' is not valid: expected PEER or NODE=PEER with a node from "
     "A to D"},
    {{"chain", "--peer", "AB=c"}, "--peer: 'AB=c' is not valid"},
    {{"chain", "--peer", "=c"}, "--peer: '=c' is not valid"},
    {{"chain", "--peer", "B="}, "--peer: 'B=' is not valid"},
    {{"chain", "--peer", "B=go", "--tls"},
     "--tls: expected nodes of peer c only, which alone has it, but B is of "
     "peer go"},
    {{"chain", "--peer", "go", "--stream"}, "--stream: expected nodes of peer"},
    {{"chain", "--peer", "go", "--budget", "10"}, "--budget: expected nodes"},
    {{"chain", "--peer", "go", "--no-claims"}, "--no-claims: expected nodes"},
    {{"chain", "--peer", "go", "--eown", "chain_stop=1"}, "--eown: expected"},
    {{"chain", "--peer", "go", "--context", "thread"}, "--context: expected"},
    {{"chain", "--peer", "B=rust", "--retry-by", "both"},
     "--retry-by: B is of peer rust, whose gRPC has no retry policies: "
     "expected "
     "application"},
    {{"chain", "--peer", "B=cpp-plain"},
     "--peer: B is of peer cpp-plain, which is without ownership: expected "
     "--stock B or --mode off"},
};

EOWN_TEST(MeshOptions, BadOnesAreRefused) {
  for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
    TEST_TRACE("%s %s", bads[i].words[0], bads[i].words[1]);
    const char *all[E2E_WORDS_MAX] = {E2E_LAB, NULL};
    e2e_words_add(all, bads[i].words);
    e2e_run run;
    e2e_run_words(all, &run);
    CHECK_EQ(2, run.status);
    CHECK_STREQ("", run.output);
    CHECK_CONTAINS(bads[i].message, run.errors);
    e2e_run_clear(&run);
  }
}

static void check_help(const char *command) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, command, "--help"), &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("Examples:", run.output);
  CHECK_STREQ("", run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(MeshOptions, HelpHasExamples) {
  check_help("mesh");
  check_help("peers");
}
