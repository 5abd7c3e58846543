/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A, B, C, D with one retry at every hop; D always fails. A and D are
 * eown-nodes, B and C are services that know nothing of eown. */
#include "client.h"
#include "gtest_c.h"
#include "service.h"

#include <jansson.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define ON "eown: on (enforce), gRPC core 29.0.0\n"

typedef struct scene {
  e2e_node d, a;
  preload_service c, b;
  preload_left c_left, b_left;
  char claim[32];
  eown_claim_detail detail;
  int64_t a_served, d_served;
} scene;

static int64_t stop_node(e2e_node *node) {
  json_t *object = e2e_node_stop(node);
  int64_t served = json_integer_value(json_object_get(object, "served"));
  json_decref(object);
  return served;
}

static void call_root(scene *self) {
  e2e_answer answer;
  e2e_call(&self->a, 0, &answer);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, answer.status);
  CHECK_EQ(1u, e2e_answer_count(&answer, EOWN_CLAIM_KEY));
  e2e_answer_text(&answer, EOWN_CLAIM_KEY, self->claim, sizeof self->claim);
  e2e_answer_detail(&answer, &self->detail);
  e2e_answer_clear(&answer);
}

/* One call from the root, then all of them end. */
static void run(scene *self, const char *form, const char *const *variables) {
  *self = (scene){0};
  e2e_node_start(&self->d, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  preload_start(&self->c, "", "C", form, &self->d, variables);
  preload_start(&self->b, "", "B", form, &self->c.node, variables);
  e2e_node_start(&self->a, "A", &self->b.node, E2E_WORDS(NULL));
  call_root(self);
  self->a_served = stop_node(&self->a);
  CHECK_EQ(1u, preload_copies(&self->b, "libgrpc.so"));
  preload_stop(&self->b, &self->b_left);
  preload_stop(&self->c, &self->c_left);
  self->d_served = stop_node(&self->d);
}

static void clear(scene *self) {
  preload_left_clear(&self->b_left);
  preload_left_clear(&self->c_left);
}

static void check_served(const scene *self, int64_t b, int64_t c, int64_t d) {
  CHECK_EQ(1, self->a_served);
  CHECK_EQ(b, preload_counter(&self->b_left, "inbound_calls"));
  CHECK_EQ(c, preload_counter(&self->c_left, "inbound_calls"));
  CHECK_EQ(d, self->d_served);
}

/* Only the caller next to the cause retries; the root reads whose error it is.
 */
static void check_tied(const char *form) {
  TEST_TRACE("form %s", form);
  scene self;
  run(&self, form, PRELOAD_ENFORCE);
  check_served(&self, 1, 1, 2);
  CHECK_STREQ("unclaimed", self.claim);
  CHECK_STREQ("D", self.detail.owner_service);
  CHECK_EQ(3u, self.detail.hops);
  CHECK_EQ(1u, preload_counter(&self.c_left, "outbound_retries"));
  CHECK_EQ(1u, preload_counter(&self.c_left, "sent_propagated"));
  CHECK_EQ(1u, preload_counter(&self.b_left, "stopped_unclaimed"));
  CHECK_EQ(0u, preload_counter(&self.b_left, "context_drops"));
  CHECK_STREQ(ON, self.b_left.run.errors);
  CHECK_STREQ(ON, self.c_left.run.errors);
  clear(&self);
}

EOWN_TEST(PreloadChain, SyncWithParent) { check_tied("parent"); }
EOWN_TEST(PreloadChain, SyncWithPlainContext) { check_tied("plain"); }
EOWN_TEST(PreloadChain, CallbackWithParent) { check_tied("callback-parent"); }

/* Where nothing says for which inbound a call is made, none is guessed: every
 * hop takes the error for its own, and it is counted. */
static void check_untied(const char *form, const char *const *variables) {
  TEST_TRACE("form %s", form);
  scene self;
  run(&self, form, variables);
  check_served(&self, 2, 4, 8);
  CHECK_STREQ("B", self.detail.owner_service);
  CHECK_EQ(1u, self.detail.hops);
  CHECK_EQ(2u, preload_counter(&self.b_left, "context_drops"));
  CHECK_EQ(4u, preload_counter(&self.c_left, "context_drops"));
  CHECK_EQ(2u, preload_counter(&self.b_left, "sent_own"));
  CHECK_EQ(4u, preload_counter(&self.c_left, "sent_own"));
  clear(&self);
}

EOWN_TEST(PreloadChain, AnotherThreadIsNotTied) {
  check_untied("thread", PRELOAD_ENFORCE);
}
EOWN_TEST(PreloadChain, CallbackWithPlainContextIsNotTied) {
  check_untied("callback-plain", PRELOAD_ENFORCE);
}
EOWN_TEST(PreloadChain, QueueForNextIsNotTied) {
  check_untied("async", PRELOAD_ENFORCE);
}
EOWN_TEST(PreloadChain, TyingCanBeTurnedOff) {
  check_untied("plain", E2E_WORDS("EOWN_MODE=enforce", "EOWN_TIE=0"));
}

#define THREADS 6
#define CALLS_EACH 15

static void *call_often(void *root) {
  for (int i = 0; i < CALLS_EACH; i++) {
    e2e_answer answer;
    e2e_call(root, 0, &answer);
    e2e_answer_clear(&answer);
  }
  return NULL;
}

static void call_in_parallel(e2e_node *root) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    REQUIRE_EQ(0, pthread_create(&threads[i], NULL, call_often, root));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static void check_passed_on(const preload_left *left) {
  uint64_t errors = preload_counter(left, "inbound_errors");
  CHECK_LT(0u, errors);
  CHECK_EQ(errors, preload_counter(left, "sent_propagated"));
  CHECK_EQ(0u, preload_counter(left, "context_drops"));
}

/* Many calls at once, some of which fail: each error of B and C is one of their
 * callee's, so each must have found its own inbound. */
EOWN_TEST(PreloadChain, ManyAtOnce) {
  scene self = {0};
  e2e_node_start(&self.d, "D", NULL, E2E_WORDS("--fail-rate", "0.6"));
  preload_start(&self.c, "", "C", "plain", &self.d, PRELOAD_ENFORCE);
  preload_start(&self.b, "", "B", "plain", &self.c.node, PRELOAD_ENFORCE);
  call_in_parallel(&self.b.node);
  preload_stop(&self.b, &self.b_left);
  preload_stop(&self.c, &self.c_left);
  stop_node(&self.d);
  CHECK_EQ(THREADS * CALLS_EACH,
           preload_counter(&self.b_left, "inbound_calls"));
  check_passed_on(&self.b_left);
  check_passed_on(&self.c_left);
  clear(&self);
}

/* Settings that a service cannot give as channel arguments; bad ones are named.
 */
EOWN_TEST(PreloadChain, SettingsFromTheEnvironment) {
  scene self;
  run(&self, "thread",
      E2E_WORDS("EOWN_MODE=enforce", "EOWN_SERVICE_NAME=shop.Cart",
                "EOWN_CLAIM_KEY_ALIAS=x-claim", "EOWN_MEMORY_EDGES=none"));
  CHECK_STREQ("shop.Cart", self.detail.owner_service);
  CHECK_CONTAINS("EOWN_MEMORY_EDGES", self.b_left.run.errors);
  CHECK_CONTAINS("\"none\" is not valid: expected 1 to 1048576",
                 self.b_left.run.errors);
  CHECK_EQ(1u, preload_counter(&self.b_left, "bad_settings"));
  clear(&self);
}

EOWN_TEST(PreloadChain, ObserveStopsNothing) {
  scene self;
  run(&self, "plain", E2E_WORDS("EOWN_MODE=1"));
  check_served(&self, 1, 2, 4); /* A enforces */
  CHECK_EQ(1u, preload_counter(&self.b_left, "stopped_unclaimed"));
  CHECK_STREQ("unclaimed", self.claim);
  CHECK_STREQ("eown: on (observe), gRPC core 29.0.0\n", self.b_left.run.errors);
  clear(&self);
}

/* Without a mode it is stock gRPC; and it says why. */
static void check_off(const char *const *variables, const char *line) {
  TEST_TRACE("%s", line);
  scene self = {0};
  e2e_node_start(&self.d, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  preload_start(&self.c, "", "C", "plain", &self.d, variables);
  e2e_answer answer;
  e2e_call(&self.c.node, 0, &answer);
  CHECK_EQ(0u, e2e_answer_count(&answer, EOWN_CLAIM_KEY));
  e2e_answer_clear(&answer);
  preload_stop(&self.c, &self.c_left);
  CHECK_STREQ(line, self.c_left.run.errors);
  CHECK_STREQ("", self.c_left.counters);
  CHECK_EQ(2, stop_node(&self.d));
  preload_left_clear(&self.c_left);
}

EOWN_TEST(PreloadChain, OffSaysWhy) {
  check_off(E2E_WORDS(NULL),
            "eown: off: EOWN_MODE is not set: expected observe "
            "or enforce\n");
  check_off(E2E_WORDS("EOWN_MODE=off"), "eown: off: EOWN_MODE is \"off\"\n");
  check_off(E2E_WORDS("EOWN_MODE=on"),
            "eown: off: EOWN_MODE: \"on\" is not valid: expected off, observe, "
            "enforce (or 0, 1, 2)\n");
  check_off(E2E_WORDS("EOWN_LOG=0"), "");
}

/* The service's own hook and output are as without eown. */
EOWN_TEST(PreloadChain, LeavesTheServiceItsOwn) {
  scene self;
  run(&self, "plain", PRELOAD_ENFORCE);
  char expected[160];
  snprintf(expected, sizeof expected,
           "{\"event\":\"ready\",\"port\":%d}\n"
           "{\"event\":\"exit\",\"begun\":1,\"ended\":1}\n",
           self.b.node.port);
  CHECK_STREQ(expected, self.b_left.run.output);
  clear(&self);
}

/* Not even what a link leads to: a rename would take its place. */
EOWN_TEST(PreloadChain, CountersReplaceNoDevice) {
  char link[64], variable[96], target[64] = "";
  snprintf(link, sizeof link, "/tmp/eown-preload-%d-device", (int)getpid());
  snprintf(variable, sizeof variable, "EOWN_COUNTERS=%s", link);
  CHECK_EQ(0, symlink("/dev/null", link));
  scene self = {0};
  e2e_node_start(&self.d, "D", NULL, E2E_WORDS(NULL));
  preload_start(&self.c, "", "C", "plain", &self.d,
                E2E_WORDS("EOWN_MODE=enforce", variable));
  preload_stop(&self.c, &self.c_left);
  CHECK_EQ(0, stop_node(&self.d));
  CHECK_CONTAINS("-device cannot be written: expected a regular file",
                 self.c_left.run.errors);
  CHECK_EQ(9, readlink(link, target, sizeof target - 1));
  CHECK_STREQ("/dev/null", target);
  unlink(link);
  preload_left_clear(&self.c_left);
}
