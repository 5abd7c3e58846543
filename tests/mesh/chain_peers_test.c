/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Peers as nodes of a chain. */
#include "fake.h"
#include "gtest_c.h"
#include "lab.h"

#define NODE "exec " E2E_NODE " \"$@\"\n"

static json_t *run_chain(const char *const *words) {
  fake fake;
  e2e_run run;
  const char *all[E2E_WORDS_MAX] = {"chain", "--json", "--requests", "10",
                                    NULL};
  fake_init(&fake, "python", NODE);
  e2e_words_add(all, words);
  fake_run(&fake, all, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *json = e2e_lab_parse(&run);
  e2e_run_clear(&run);
  fake_clear(&fake);
  return json;
}

static void check_node(const json_t *json, char name, const char *peer,
                       int64_t served) {
  char path[] = "nodes.?.peer";
  TEST_TRACE("node %c", name);
  path[6] = (char)('0' + name - 'A');
  CHECK_STREQ(peer, e2e_json_text(json, path));
  CHECK_EQ(served, e2e_node_integer(json, name, "served"));
}

EOWN_TEST(ChainPeers, OneNodeIsAPeer) {
  json_t *json = run_chain(E2E_WORDS("--peer", "B=python"));
  check_node(json, 'A', "c", 10);
  check_node(json, 'B', "python", 10);
  check_node(json, 'C', "c", 10);
  check_node(json, 'D', "c", 20);
  json_decref(json);
}

/* Node by node wins, wherever it stands, and every option of a chain that peers
 * have is passed on. */
EOWN_TEST(ChainPeers, AllOthersArePeers) {
  json_t *json = run_chain(
      E2E_WORDS("--peer", "D=c", "--peer", "python", "--no-retry", "C",
                "--stock", "B", "--status", "INTERNAL", "--mode", "enforce"));
  check_node(json, 'A', "python", 10);
  check_node(json, 'B', "python", 20);
  check_node(json, 'C', "python", 40);
  check_node(json, 'D', "c", 40);
  CHECK_EQ(10, e2e_json_integer(json, "root.status.INTERNAL"));
  json_decref(json);
}

EOWN_TEST(ChainPeers, TableNamesThem) {
  fake fake;
  e2e_run run;
  fake_init(&fake, "python", NODE);
  fake_run(&fake,
           E2E_WORDS("chain", "--requests", "5", "--peer", "B=python", "--peer",
                     "D=python", "--kill", "D"),
           &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS("\nA ", run.output);
  CHECK_CONTAINS("\nB (python) ", run.output);
  CHECK_CONTAINS("\nD (python, killed) ", run.output);
  e2e_run_clear(&run);
  fake_clear(&fake);
}
