/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* eown-lab mesh with eown-node alone, all of it as it should be. */
#include "fake.h"
#include "gtest_c.h"
#include "lab.h"

#include <string.h>

/* What must hold of a pair, in the order of the callees. */
typedef struct row {
  const char *ownership;
  const char *sends;
  int64_t attempts;
  const char *answers;
} row;

static const row rows[] = {
    {"enforce", "claimed", 3, "unclaimed"},
    {"enforce", "unclaimed", 1, "unclaimed"},
    {"enforce", "missing", 3, "unclaimed"},
    {"stock", "claimed", 3, "missing"},
    {"stock", "unclaimed", 1, "missing"},
    {"stock", "missing", 3, "missing"},
};
#define ROWS_N (sizeof rows / sizeof rows[0])

static void check_pair(const json_t *pair, const row *row) {
  TEST_TRACE("%s, %s", row->ownership, row->sends);
  CHECK_STREQ("c", e2e_json_text(pair, "caller"));
  CHECK_STREQ(row->ownership, e2e_json_text(pair, "ownership"));
  CHECK_STREQ("c", e2e_json_text(pair, "callee"));
  CHECK_STREQ("C", e2e_json_text(pair, "caller_language"));
  CHECK_STREQ("C", e2e_json_text(pair, "callee_language"));
  CHECK_CONTAINS("gRPC C-core ", e2e_json_text(pair, "caller_version"));
  CHECK_CONTAINS("gRPC C-core ", e2e_json_text(pair, "callee_version"));
  CHECK_STREQ(row->sends, e2e_json_text(pair, "sends"));
  CHECK_STREQ(row->sends, e2e_json_text(pair, "claim"));
  CHECK_EQ(row->attempts, e2e_json_integer(pair, "attempts"));
  CHECK_EQ(row->attempts, e2e_json_integer(pair, "expected"));
  CHECK_STREQ(row->answers, e2e_json_text(pair, "answers"));
  CHECK_STREQ(row->answers, e2e_json_text(pair, "answers_expected"));
  CHECK_TRUE(json_is_true(e2e_json_find(pair, "pass")));
}

static void check_chain(const json_t *chain) {
  TEST_TRACE("%s", e2e_json_text(chain, "case"));
  CHECK_STREQ("c", e2e_json_text(chain, "peer"));
  const json_t *expected = e2e_json_find(chain, "expected");
  CHECK_EQ(4, json_array_size(expected));
  CHECK_TRUE(json_equal(expected, e2e_json_find(chain, "measured")));
  CHECK_TRUE(json_is_true(e2e_json_find(chain, "pass")));
}

EOWN_TEST(Mesh, JsonHasEachPairAndChain) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "mesh", "--peers", "c,c", "--requests", "3",
                          "--chain-requests", "2", "--json"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *json = e2e_lab_parse(&run);
  CHECK_EQ(1, json_array_size(e2e_json_find(json, "peers")));
  CHECK_EQ(3, e2e_json_integer(json, "requests"));
  CHECK_EQ(2, e2e_json_integer(json, "chain_requests"));
  CHECK_TRUE(e2e_json_number(json, "seconds") >= 0);
  const json_t *pairs = e2e_json_find(json, "pairs");
  CHECK_EQ(ROWS_N, json_array_size(pairs));
  for (size_t i = 0; i < ROWS_N; i++)
    check_pair(json_array_get(pairs, i), &rows[i]);
  const json_t *chains = e2e_json_find(json, "chains");
  CHECK_EQ(11, json_array_size(chains));
  for (size_t i = 0; i < json_array_size(chains); i++)
    check_chain(json_array_get(chains, i));
  CHECK_TRUE(json_is_true(e2e_json_find(json, "pass")));
  json_decref(json);
  e2e_run_clear(&run);
}

static size_t width_of(const char *line, size_t length) {
  size_t width = 0;
  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)line[i] & 0xc0) != 0x80;
  return width;
}

/* The lines from `first` up to an empty one, all of one width. */
static void check_aligned(const char *text, const char *first, size_t lines) {
  TEST_TRACE("%s", first);
  CHECK_CONTAINS(first, text);
  const char *line = strstr(text, first);
  if (line == NULL)
    return;
  size_t width = width_of(line, strcspn(line, "\n")), found = 0;
  for (; *line != '\n' && *line != '\0'; found++) {
    size_t length = strcspn(line, "\n");
    CHECK_EQ(width, width_of(line, length));
    line += length + (line[length] == '\n');
  }
  CHECK_EQ(lines, found);
}

EOWN_TEST(Mesh, TextIsAMatrix) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "mesh", "--peers", "c", "--requests", "2",
                          "--chain-requests", "1"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  check_aligned(run.output, "caller ", 3);
  CHECK_CONTAINS("\nc         3 1 3 ✓\nc, stock  3 1 3 ✓\n", run.output);
  CHECK_CONTAINS("c  C  11, gRPC C-core ", run.output);
  check_aligned(run.output, "chain A, B, C of ", 12);
  CHECK_CONTAINS("\nenforce                1 1 1 2  ✓\n", run.output);
  CHECK_CONTAINS("\nboth, off            1 4 16 64  ✓\n", run.output);
  CHECK_CONTAINS("6 of 6 pairs and 11 of 11 chains are as they should be",
                 run.output);
  CHECK_NULL(strstr(run.output, "✗"));
  e2e_run_clear(&run);
}

EOWN_TEST(Mesh, ChainsCanBeLeftOut) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "mesh", "--peers", "c", "--requests", "1",
                          "--chain-requests", "0"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("6 of 6 pairs and 0 of 0 chains", run.output);
  CHECK_NULL(strstr(run.output, "chain A, B, C of"));
  e2e_run_clear(&run);
}

EOWN_TEST(Mesh, ProgressGoesToStandardError) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "mesh", "--peers", "c", "--requests", "1",
                          "--chain-requests", "1", "--progress", "--json"),
                &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("starting 6 nodes\n", run.errors);
  CHECK_CONTAINS("chains of c\n", run.errors);
  json_decref(e2e_lab_parse(&run));
  e2e_run_clear(&run);
}

/* Only callers and callees without ownership, and only the chain in mode off;
 * the peer's own arguments come first. */
EOWN_TEST(Mesh, PeerWithoutOwnership) {
  fake fake;
  e2e_run run;
  fake_init(&fake, "cpp",
            "[ \"$1 $2\" = \"--binding none\" ] || exit 4\n"
            "shift 2\n"
            "exec " E2E_NODE " \"$@\"\n");
  fake_run(&fake,
           E2E_WORDS("mesh", "--peers", "cpp-plain", "--requests", "2",
                     "--chain-requests", "2", "--json"),
           &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *json = e2e_lab_parse(&run);
  CHECK_EQ(1, json_array_size(e2e_json_find(json, "pairs")));
  CHECK_STREQ("stock", e2e_json_text(json, "pairs.0.ownership"));
  CHECK_STREQ("missing", e2e_json_text(json, "pairs.0.sends"));
  CHECK_EQ(1, json_array_size(e2e_json_find(json, "chains")));
  CHECK_STREQ("off", e2e_json_text(json, "chains.0.case"));
  json_decref(json);
  e2e_run_clear(&run);
  fake_clear(&fake);
}
