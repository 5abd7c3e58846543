/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Chains with nginx at every hop: a proxy that passes trailers on leaves claims
 * as they are, and one that answers for its callee says nothing. */
#include "client.h"
#include "gtest_c.h"
#include "lab.h"
#include "nginx.h"

#include <signal.h>

#define NODES 4
#define ROOTS 20

/* A to D, each behind a proxy of its own; D always fails. */
typedef struct chain {
  e2e_node nodes[NODES];
  nginx proxies[NODES];
  json_t *counts[NODES];
} chain;

static void start_node(chain *self, int i, const char *ownership) {
  char name[2] = {(char)('A' + i), '\0'};
  char callee[32] = "";
  const char *words[E2E_WORDS_MAX] = {NULL};
  e2e_words_add(words, E2E_WORDS("--ownership", ownership));
  if (i + 1 == NODES) {
    e2e_words_add(words, E2E_WORDS("--fail-rate", "1"));
  } else {
    snprintf(callee, sizeof callee, "%c=127.0.0.1:%d", 'A' + i + 1,
             self->proxies[i + 1].port);
    e2e_words_add(words, E2E_WORDS("--callee", callee));
  }
  e2e_node_start(&self->nodes[i], name, NULL, words);
  nginx_start(&self->proxies[i], &self->nodes[i]);
}

static void start(chain *self, const char *ownership) {
  for (int i = NODES - 1; i >= 0; i--)
    start_node(self, i, ownership);
}

/* Calls A through its proxy. */
static void call(const chain *self, e2e_answer *answer) {
  e2e_node proxied = self->nodes[0];
  proxied.port = self->proxies[0].port;
  e2e_call(&proxied, 0, answer);
}

static void call_all(const chain *self) {
  for (int i = 0; i < ROOTS; i++) {
    e2e_answer answer;
    call(self, &answer);
    CHECK_EQ(GRPC_STATUS_UNAVAILABLE, answer.status);
    e2e_answer_clear(&answer);
  }
}

static void stop(chain *self, int nodes) {
  for (int i = 0; i < NODES; i++) {
    self->counts[i] = i < nodes ? e2e_node_stop(&self->nodes[i]) : NULL;
    nginx_stop(&self->proxies[i]);
  }
}

static void check_served(chain *self, const int *expected, int nodes) {
  for (int i = 0; i < nodes; i++) {
    TEST_TRACE("%c", 'A' + i);
    CHECK_EQ(expected[i] * ROOTS, e2e_json_integer(self->counts[i], "served"));
  }
}

static void clear(chain *self) {
  for (int i = 0; i < NODES; i++)
    json_decref(self->counts[i]);
}

EOWN_TEST(Nginx, StormWithoutOwnership) {
  chain self;
  start(&self, "stock");
  call_all(&self);
  stop(&self, NODES);
  check_served(&self, (const int[]){1, 2, 4, 8}, NODES);
  clear(&self);
}

EOWN_TEST(Nginx, LeavesClaimsAsTheyAre) {
  chain self;
  start(&self, "enforce");
  call_all(&self);
  stop(&self, NODES);
  check_served(&self, (const int[]){1, 1, 1, 2}, NODES);
  CHECK_EQ(2 * ROOTS,
           e2e_json_integer(self.counts[2], "eown.received_claimed"));
  CHECK_EQ(ROOTS, e2e_json_integer(self.counts[1], "eown.stopped_unclaimed"));
  /* The retry's mark passes as well. */
  CHECK_EQ(ROOTS, e2e_json_integer(self.counts[3], "eown.inbound_retries"));
  clear(&self);
}

EOWN_TEST(Nginx, LeavesTheOwnerAsItIs) {
  chain self;
  e2e_answer answer;
  eown_claim_detail detail;
  char claim[16], pushback[16];
  start(&self, "enforce");
  call(&self, &answer);
  e2e_answer_text(&answer, EOWN_CLAIM_KEY, claim, sizeof claim);
  CHECK_STREQ("unclaimed", claim);
  e2e_answer_text(&answer, "grpc-retry-pushback-ms", pushback, sizeof pushback);
  CHECK_STREQ("-1", pushback);
  e2e_answer_detail(&answer, &detail);
  CHECK_STREQ("D", detail.owner_service);
  CHECK_EQ(3u, detail.hops);
  e2e_answer_clear(&answer);
  stop(&self, NODES);
  clear(&self);
}

/* nginx answers for the dead D, without any claim. The caller next to it
 * retries, and passes on unclaimed. */
EOWN_TEST(Nginx, AnswersForADeadCallee) {
  chain self;
  start(&self, "enforce");
  kill(self.nodes[3].child.pid, SIGKILL);
  call_all(&self);
  stop(&self, NODES - 1);
  check_served(&self, (const int[]){1, 1, 1}, NODES - 1);
  CHECK_EQ(2 * ROOTS,
           e2e_json_integer(self.counts[2], "eown.outbound_attempts"));
  CHECK_EQ(ROOTS, e2e_json_integer(self.counts[1], "eown.received_unclaimed"));
  e2e_run run;
  e2e_child_finish(&self.nodes[3].child, &run);
  e2e_run_clear(&run);
  clear(&self);
}
