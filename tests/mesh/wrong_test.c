/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Peers that are wrong are noticed: exit status 1, and what differs is said. */
#include "fake.h"
#include "gtest_c.h"
#include "lab.h"

#include <string.h>

#define NODE(arguments) "exec " E2E_NODE " \"$@\" " arguments "\n"
#define MESH                                                                   \
  "mesh", "--peers", "c,python", "--requests", "4", "--chain-requests", "2"

/* The pair of this caller (with ownership) and callee; NULL: none. */
static const json_t *find_pair(const json_t *json, const char *caller,
                               const char *callee, const char *sends) {
  const json_t *pairs = e2e_json_find(json, "pairs");
  for (size_t i = 0; i < json_array_size(pairs); i++) {
    const json_t *pair = json_array_get(pairs, i);
    if (strcmp(e2e_json_text(pair, "caller"), caller) == 0 &&
        strcmp(e2e_json_text(pair, "ownership"), "enforce") == 0 &&
        strcmp(e2e_json_text(pair, "callee"), callee) == 0 &&
        strcmp(e2e_json_text(pair, "sends"), sends) == 0)
      return pair;
  }
  return NULL;
}

static void check_pair(const json_t *pair, int64_t attempts, const char *claim,
                       const char *answers, bool pass) {
  CHECK_EQ(attempts, e2e_json_integer(pair, "attempts"));
  CHECK_STREQ(claim, e2e_json_text(pair, "claim"));
  CHECK_STREQ(answers, e2e_json_text(pair, "answers"));
  CHECK_EQ(pass, json_is_true(e2e_json_find(pair, "pass")));
}

static json_t *run_mesh(const char *script) {
  fake fake;
  e2e_run run;
  fake_init(&fake, "python", script);
  fake_run(&fake, E2E_WORDS(MESH, "--json"), &run);
  CHECK_EQ(1, run.status);
  CHECK_STREQ("", run.errors);
  json_t *json = e2e_lab_parse(&run);
  CHECK_TRUE(json_is_false(e2e_json_find(json, "pass")));
  e2e_run_clear(&run);
  fake_clear(&fake);
  return json;
}

EOWN_TEST(Wrong, PeerWithoutClaims) {
  json_t *json = run_mesh(NODE("--ownership stock"));
  check_pair(find_pair(json, "c", "c", "claimed"), 3, "claimed", "unclaimed",
             true);
  check_pair(find_pair(json, "c", "python", "claimed"), 3, "missing",
             "unclaimed", false);
  check_pair(find_pair(json, "c", "python", "unclaimed"), 3, "missing",
             "unclaimed", false);
  check_pair(find_pair(json, "c", "python", "missing"), 3, "missing",
             "unclaimed", true);
  /* As a caller it makes the attempts it should, but says nothing. */
  check_pair(find_pair(json, "python", "c", "unclaimed"), 1, "unclaimed",
             "missing", false);
  json_decref(json);
}

EOWN_TEST(Wrong, PeerWithoutRetries) {
  json_t *json = run_mesh(NODE("--attempts 1"));
  check_pair(find_pair(json, "python", "c", "claimed"), 1, "claimed", "claimed",
             false);
  /* Nobody retried the error that it passes on: it claims it. */
  check_pair(find_pair(json, "c", "python", "unclaimed"), 3, "claimed",
             "unclaimed", false);
  check_pair(find_pair(json, "c", "python", "claimed"), 3, "claimed",
             "unclaimed", true);
  json_decref(json);
}

/* Without retries nothing is multiplied. */
EOWN_TEST(Wrong, ChainsDiffer) {
  json_t *json = run_mesh(NODE("--attempts 1"));
  const json_t *chains = e2e_json_find(json, "chains");
  CHECK_EQ(22, json_array_size(chains));
  for (size_t i = 0; i < json_array_size(chains); i++) {
    const json_t *chain = json_array_get(chains, i);
    bool own = strcmp(e2e_json_text(chain, "peer"), "c") == 0;
    const char *name = e2e_json_text(chain, "case");
    TEST_TRACE("%s", name);
    bool same = own || strcmp(name, "nobody with retries") == 0 ||
                strcmp(name, "D killed") == 0;
    CHECK_EQ(same, json_is_true(e2e_json_find(chain, "pass")));
    if (!own && strcmp(name, "D killed") != 0)
      CHECK_EQ(1, e2e_json_integer(chain, "measured.3"));
  }
  json_decref(json);
}

EOWN_TEST(Wrong, TextSaysWhatDiffers) {
  fake fake;
  e2e_run run;
  fake_init(&fake, "python", NODE("--attempts 1"));
  fake_run(&fake, E2E_WORDS(MESH), &run);
  CHECK_EQ(1, run.status);
  CHECK_CONTAINS("1 1 1 ✗", run.output);
  CHECK_CONTAINS("✗ python to c, claimed: 4 attempts, claims read 4 claimed, "
                 "answered 4 claimed; expected 12 attempts, 4 claimed, 4 "
                 "unclaimed\n",
                 run.output);
  CHECK_CONTAINS("✗ python, stock, to c, claimed: 4 attempts", run.output);
  CHECK_CONTAINS("1 1 1 1 ✗", run.output);
  e2e_run_clear(&run);
  fake_clear(&fake);
}

static void check_message(const char *script, const char *const *words,
                          const char *message) {
  fake fake;
  e2e_run run;
  fake_init(&fake, "python", script);
  fake_run(&fake, words, &run);
  CHECK_EQ(1, run.status);
  CHECK_STREQ("", run.output);
  CHECK_CONTAINS(message, run.errors);
  if (script == NULL || strstr(script, "exit") != NULL) {
    char setup[128];
    snprintf(setup, sizeof setup, "%s/setup", fake.peer);
    CHECK_CONTAINS(setup, run.errors);
  }
  e2e_run_clear(&run);
  fake_clear(&fake);
}

EOWN_TEST(Wrong, PeerThatIsNotThere) {
  check_message(NULL, E2E_WORDS(MESH), "peer python: cannot run ");
  check_message(NULL, E2E_WORDS("chain", "--peer", "B=python"),
                "EOWN_PEERS_DIR names the folder of all peers");
}

EOWN_TEST(Wrong, PeerThatIsNotSetUp) {
  const char *script = "echo no module of that name >&2\nexit 1\n";
  check_message(script, E2E_WORDS(MESH), "no module of that name\n");
  check_message(script, E2E_WORDS("chain", "--peer", "C=python"),
                "node C, peer python, did not come up; the peer is set up by ");
}

EOWN_TEST(Wrong, PeerThatNeverAnswers) {
  check_message(NODE("--delay-ms 3600000"), E2E_WORDS(MESH, "--timeout", "1"),
                "node c-caller did not answer within 1 s when it called "
                "python-claimed\n");
}
