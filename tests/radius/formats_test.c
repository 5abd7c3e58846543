/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same diamond in every format: A calls B twice and C once, both call D. */
static const struct input {
  const char *format;
  const char *text;
} inputs[] = {
    {"zipkin", "[{\"parent\":\"A\",\"child\":\"B\",\"callCount\":20},\n"
               " {\"parent\":\"A\",\"child\":\"C\",\"callCount\":10},\n"
               " {\"parent\":\"B\",\"child\":\"D\",\"callCount\":20},\n"
               " {\"parent\":\"C\",\"child\":\"D\",\"callCount\":10,"
               "\"errorCount\":3}]\n"},
    {"jaeger", "{\"total\":0,\"data\":[{\"parent\":\"A\",\"child\":\"B\","
               "\"callCount\":20},{\"parent\":\"A\",\"child\":\"C\","
               "\"callCount\":10,\"source\":\"\"},{\"parent\":\"B\","
               "\"child\":\"D\",\"callCount\":20},\n{\"parent\":\"C\","
               "\"child\":\"D\",\"callCount\":10}],\"errors\":null}"},
    {"graphs", "{\"edges\":[[\"A\",\"B\",20,\"rpc\"],[\"A\",\"C\",10],"
               "[\"B\",\"D\",20,\"http\"],[\"C\",\"D\",10,\"mc\"]]}\n"},
    {"dot", "// a comment\ndigraph calls {\n  node [shape=box];\n"
            "  A -> B [calls=20, label=\"twenty\"];\n"
            "  { A } -> C [calls=10]; subgraph cluster_x { B; C }\n"
            "  B -> D [calls=\"20\"]\n  C -> D [calls=10]\n}\n"},
    {"csv", "caller,callee,calls\r\nA,B,20\r\nA,\"C\",10\r\n\r\nB,D,20\r\n"
            "C,D,10\r\n"},
};

#define INPUTS (sizeof(inputs) / sizeof(*inputs))

static void check_diamond(const test_run *run) {
  CHECK_EQ(0, run->status);
  CHECK_STREQ("", run->err);
  CHECK_NEAR(1, test_number(run->json, "graphs"), 0);
  CHECK_STREQ("A", test_string(run->json, "roots.0.root"));
  CHECK_NEAR(2, test_number(run->json, "roots.0.radius.stock"), 0);
  CHECK_NEAR(4, test_number(run->json, "roots.0.amplification.stock"), 1e-9);
  CHECK_NEAR(2, test_number(run->json, "roots.0.amplification.ownership"),
             1e-9);
}

EOWN_TEST(RadiusFormats, Guessed) {
  for (size_t i = 0; i < INPUTS; i++) {
    TEST_TRACE("%s", inputs[i].format);
    test_run run;
    test_run_text(&run, inputs[i].text, "--json");
    check_diamond(&run);
    test_run_clear(&run);
  }
}

EOWN_TEST(RadiusFormats, Forced) {
  for (size_t i = 0; i < INPUTS; i++) {
    TEST_TRACE("%s", inputs[i].format);
    char options[64] = "--json --format ";
    test_run run;
    test_run_text(&run, inputs[i].text, strcat(options, inputs[i].format));
    check_diamond(&run);
    test_run_clear(&run);
  }
}

EOWN_TEST(RadiusFormats, Gzip) {
  for (size_t i = 0; i < INPUTS; i++) {
    TEST_TRACE("%s", inputs[i].format);
    test_run run;
    test_run_gzip(&run, inputs[i].text, "--json");
    check_diamond(&run);
    test_run_clear(&run);
  }
}

EOWN_TEST(RadiusFormats, ByteOrderMarkAndSpaceInFront) {
  test_run run;
  test_run_text(&run,
                "\xef\xbb\xbf\n [{\"parent\":\"A\",\"child\":\"B\","
                "\"callCount\":1}]",
                "--json");
  CHECK_EQ(0, run.status);
  CHECK_STREQ("A", test_string(run.json, "roots.0.root"));
  test_run_clear(&run);
}

EOWN_TEST(RadiusFormats, SeveralFiles) {
  char *more = test_file("X,Y\nY,Z\n", 8);
  char options[256];
  snprintf(options, sizeof(options), "--json %s", more);
  test_run run;
  test_run_text(&run, "digraph { A -> B } digraph { C -> D -> E -> F }",
                options);
  CHECK_NEAR(3, test_number(run.json, "graphs"), 0);
  CHECK_NEAR(3, test_number(run.json, "overall.radius_max.stock"), 0);
  CHECK_STREQ("X", test_string(run.json, "roots.2.root"));
  test_run_clear(&run);
  unlink(more);
  free(more);
}

/* The service of a graph may come after its edges; names belong to it. */
EOWN_TEST(RadiusFormats, ServiceAfterEdges) {
  test_run run;
  test_run_text(&run,
                "{\"edges\":[[\"A\",\"B\"]],\"num\":2,"
                "\"service\":\"S\",\"other\":{}}\n"
                "{\"service\":\"T\",\"edges\":[[\"A\",\"B\"]]}\n",
                "--json");
  CHECK_EQ(0, run.status);
  CHECK_STREQ("S", test_string(run.json, "roots.0.service"));
  CHECK_STREQ("T", test_string(run.json, "roots.1.service"));
  test_run_clear(&run);
}

/* Quotes as RFC 4180 has them, and services of the names of DOT's words. */
EOWN_TEST(RadiusFormats, CsvNames) {
  test_run run;
  test_run_text(&run, "digraph,\"a,b\"\n\"a,b\",\"say \"\"c\"\"\"\n", "--json");
  CHECK_EQ(0, run.status);
  CHECK_STREQ("digraph", test_string(run.json, "roots.0.root"));
  CHECK_NEAR(2, test_number(run.json, "roots.0.radius.stock"), 0);
  test_run_clear(&run);
}

EOWN_TEST(RadiusFormats, LongLinesAndManyNodes) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  fputs("{\"edges\":[[\"r\",\"n\"]", file);
  for (unsigned i = 0; i < 20000; i++)
    fprintf(file, ",[\"r\",\"node-%u\",1,\"rpc\"]", i);
  fputs("]}", file);
  fclose(file);
  test_run run;
  test_run_text(&run, text, "--json");
  CHECK_EQ(0, run.status);
  CHECK_NEAR(1, test_number(run.json, "roots.0.radius.stock"), 0);
  test_run_clear(&run);
  free(text);
}
