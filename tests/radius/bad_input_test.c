/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Exit status 2, nothing on standard output, one message. */
static void check_refused(test_run *run, const char *part) {
  CHECK_EQ(2, run->status);
  CHECK_STREQ("", run->out);
  CHECK_CONTAINS("eown-lab", run->err);
  CHECK_CONTAINS(part, run->err);
  CHECK_CONTAINS("expected", run->err);
  test_run_clear(run);
}

#define LINK "{\"parent\":\"A\",\"child\":\"B\",\"callCount\":1}"

static const struct bad {
  const char *text;
  const char *options;
  const char *part; /* of the message; ":N: " is the line */
} bads[] = {
    {"", "", ":1: the file is empty"},
    {"\n\n  \n", "", ":1: the file is empty"},
    {"these are words", "", ":1: one field"},
    {"{\"edges\":", "", ":1: the text ends"},

    {"[" LINK ",\n{\"parent\":\"A\",\"child\":\"C\",\"callCount\":NaN}]", "",
     ":2: invalid token near 'NaN'"},
    {"[" LINK, "", ":1: the text ends"},
    {"[" LINK "\n" LINK "]", "", ":2: '{'"},
    {"[" LINK "]\nmore", "", ":2: 'm': expected nothing after"},
    {"[\n\n7]", "", ":3: not an object"},
    {"[\n{\"parent\":1,\"child\":\"B\",\"callCount\":1}]", "",
     ":2: \"parent\" is no string"},
    {"[{\"parent\":\"A\",\"callCount\":1}]", "", "\"child\" is missing"},
    {"[{\"parent\":\"A\",\"child\":\"B\"}]", "", "\"callCount\" is missing"},
    {"[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":\"1\"}]", "",
     "\"callCount\" is no number"},
    {"[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":-1}]", "",
     ":1: \"callCount\" -1"},
    {"[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":0}]", "",
     ":1: \"callCount\" 0"},
    {"[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":1e16}]", "",
     ":1: \"callCount\" 1e+16"},
    {"[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":1e999}]", "",
     "real number overflow"},
    {"[{\"parent\":\"A\",\"parent\":\"C\",\"child\":\"B\",\"callCount\":1}]",
     "", "duplicate object key"},
    {"[{\"parent\":\"\",\"child\":\"B\",\"callCount\":1}]", "",
     "a name of 0 bytes"},
    {"[{\"parent\":\"A\\u0007\",\"child\":\"B\",\"callCount\":1}]", "",
     "a control character in a name"},
    {"[]", "", ":1: no calls"},
    {"{\"data\":7}", "", ":1: '7': expected a list of links"},
    {"{\n\"total\":7}", "", "no member \"data\""},

    {"{\"edges\":[[\"A\",\"B\"]]}\n{\"edges\":[[\"A\",7]]}", "",
     ":2: the target of an edge is no string"},
    {"{\"edges\":[[\"A\"]]}", "", ":1: not a list of 2 to 4 items"},
    {"{\"edges\":[[\"A\",\"B\",1,\"rpc\",2]]}", "",
     "not a list of 2 to 4 items"},
    {"{\"edges\":[[\"A\",\"B\",-2]]}", "", ":1: the weight of an edge is -2"},
    {"{\"edges\":[[\"A\",\"B\",\"2\"]]}", "", "weight of an edge is no number"},
    {"{\"edges\":[]}", "", ":1: no calls"},
    {"{\"edges\":{}}", "", ":1: '{': expected a list of edges"},
    {"{\"num\":0,\"edges\":[[\"A\",\"B\"]]}", "", ":1: \"num\" 0"},
    {"{\"num\":\"1\",\"edges\":[[\"A\",\"B\"]]}", "", "\"num\" is no number"},
    {"{\"service\":5,\"edges\":[[\"A\",\"B\"]]}", "", "\"service\" is no name"},
    {"{\"edges\":[[\"A\",\"B\"]]} x", "--format graphs",
     ":1: 'x': expected nothing after"},
    {"{\"edges\":[[\"A\",\"B\"]],\"edges\":[[\"A\",\"B\"]]}", "--format graphs",
     "\"edges\" is there twice"},
    {"{\"edge\":[[\"A\",\"B\"]]}", "", ":1: no member \"edges\""},

    {"digraph {\n A -> B\n A -> -> C\n}", "", ":3: syntax error near '->'"},
    {"digraph { A -> B", "", ":1: syntax error"},
    {"digraph {\n A -> B\n A -> C [calls=\"nan\"]\n}", "",
     ":3: calls 'nan' from A to C"},
    {"digraph { A -> B [calls=-1] }", "", ":1: calls '-1' from A to B"},
    {"graph { A -- B }", "", ":1: an undirected graph"},
    {"digraph { A }", "", ":1: no calls"},
    {"digraph { A -> B } digraph { C -> }", "", ":1: syntax error"},
    {"words", "--format dot", ":1: syntax error"},

    {"caller,callee,calls\nA,B,1\nA,C,many\n", "", ":3: calls 'many'"},
    {"A,B,-3\n", "", ":1: calls -3"},
    {"A,B,nan\n", "", ":1: calls 'nan'"},
    {"A,B,inf\n", "", ":1: calls 'inf'"},
    {"A,B,1\nA,B,1,1\n", "", ":2: more than 3 fields"},
    {"\"A,B\n", "", ":1: open quotes"},
    {"\"A\"x,B\n", "", ":1: text after a field in quotes"},
    {"A,\n", "", ":1: a name of 0 bytes"},
    {"A,\xff\n", "", ":1: a name that is not UTF-8"},
    {"caller,callee\n", "", "no calls"},

    {"A,B\n", "--format json", "--format: 'json' is not valid"},
    {"A,B\n", "--attempts 0", "--attempts: '0' is not valid"},
    {"A,B\n", "--attempts 6", "a whole number from 1 to 5"},
    {"A,B\n", "--attempts x", "--attempts: 'x' is not valid"},
    {"A,B\n", "--budget -1", "--budget: '-1' is not valid"},
    {"A,B\n", "--budget nan", "--budget: 'nan' is not valid"},
    {"A,B\n", "--eown A,,B", "--eown: 'A,,B' is not valid"},
    {"A,B\n", "--eown X", "no graph has a service 'X'"},
    {"A,B\n", "--no-retry AB", "--no-retry: 'AB' is not valid"},
    {"A,B\n", "--no-retry B-A", "no graph has an edge from 'B' to 'A'"},
    {"A,B\n", "--no-retry A-B-C", "more than one dash"},
    {"A,B\n", "--fail-open -B", "--fail-open: '-B' is not valid"},
    {"A,B\n", "--no-retry-service B", "no graph has a caller 'B'"},
    {"A,B\n", "--top 0", "--top: '0' is not valid"},
    {"A,B\n", "--policy /nowhere/policy", "/nowhere/policy: No such file"},
    {"A,B\n", "/nowhere/calls", "/nowhere/calls: No such file"},
    {"A,B\n", "/", "/: a folder"},
};

EOWN_TEST(RadiusBadInput, EachIsRefused) {
  for (size_t i = 0; i < sizeof(bads) / sizeof(*bads); i++) {
    TEST_TRACE("case %zu: %s", i, bads[i].text);
    test_run run;
    test_run_text(&run, bads[i].text, bads[i].options);
    check_refused(&run, bads[i].part);
  }
}

EOWN_TEST(RadiusBadInput, UnknownOption) {
  test_run run;
  test_run_text(&run, "A,B\n", "--bogus");
  CHECK_EQ(2, run.status);
  CHECK_CONTAINS("unrecognized option '--bogus'", run.err);
  CHECK_STREQ("", run.out);
  test_run_clear(&run);
}

EOWN_TEST(RadiusBadInput, NoFile) {
  test_run run;
  test_run_options(&run, "");
  check_refused(&run, "FILE: missing");
}

EOWN_TEST(RadiusBadInput, NulByte) {
  test_run run;
  test_run_bytes(&run, "A,B\0C\n", 6, "");
  check_refused(&run, "a NUL byte");
}

/* A gzip cut anywhere, and one with a byte turned over in its data. */
EOWN_TEST(RadiusBadInput, CutGzip) {
  size_t length = 0;
  unsigned char *bytes = test_gzip("A,B,1\nB,C,2\nC,D,3\n", &length);
  for (size_t cut = 2; cut < length; cut += 3) {
    TEST_TRACE("cut at %zu of %zu", cut, length);
    test_run run;
    test_run_bytes(&run, bytes, cut, "");
    check_refused(&run, "");
  }
  bytes[length - 6] ^= 0x55; /* in the checksum */
  test_run run;
  test_run_bytes(&run, bytes, length, "");
  check_refused(&run, "sound gzip data");
  free(bytes);
}

/* The good file does not come out when the next one is bad. */
EOWN_TEST(RadiusBadInput, NothingHalfWritten) {
  test_run run;
  test_run_text(&run,
                "{\"edges\":[[\"A\",\"B\"]]}\n{\"edges\":[[\"A\",\"B\"]]}\n{",
                "--json");
  check_refused(&run, ":3: the text ends");
}

static char *chain(unsigned hops) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  for (unsigned i = 0; i < hops; i++)
    fprintf(file, "n%u,n%u\n", i, i + 1);
  fclose(file);
  return text;
}

/* As long a line of services as is taken, and longer ones. */
EOWN_TEST(RadiusBadInput, LongChains) {
  test_run run;
  char *text = chain(400);
  test_run_text(&run, text, "--json --attempts 5 --top 1");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(400, test_number(run.json, "roots.0.radius.stock"), 0);
  CHECK_TRUE(test_number(run.json, "roots.0.amplification.stock") > 1e279);
  test_run_clear(&run);
  free(text);
  text = chain(401);
  test_run_text(&run, text, "");
  check_refused(&run, ":1: a call path of more than 400 hops");
  free(text);
  text = chain(200000);
  test_run_text(&run, text, "");
  check_refused(&run, ":1: a call path of more than 400 hops");
  free(text);
}

EOWN_TEST(RadiusBadInput, LongName) {
  char text[1200];
  memset(text, 'x', sizeof(text));
  memcpy(text + sizeof(text) - 4, ",B\n", 4);
  test_run run;
  test_run_text(&run, text, "");
  check_refused(&run, "a name of 1196 bytes");
}

/* A steered terminal: messages show no control characters. */
EOWN_TEST(RadiusBadInput, MessagesAreSafe) {
  test_run run;
  test_run_text(&run, "A,B,\x1b[31m\n", "");
  CHECK_NULL(strchr(run.err, '\x1b'));
  check_refused(&run, "calls '?[31m'");
}
