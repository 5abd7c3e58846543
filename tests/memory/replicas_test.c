/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Three processes of one service with a Redis between them: what two of them
 * see, the third knows, and a fourth that comes late; and a Redis that is
 * killed costs no call. */
#include "gtest_c.h"
#include "lab.h"
#include "redis_server.h"
#include "replica.h"

#include <string.h>

#define REPLICAS 4
#define BUSY 2  /* the others serve nothing */
#define EARLY 3 /* the last one comes late */

typedef struct fleet {
  redis_server redis;
  e2e_node callee;
  e2e_node replicas[REPLICAS];
  char files[REPLICAS][128];
} fleet;

static void join(fleet *self, int index) {
  char name[16];
  snprintf(name, sizeof name, "memory.%d", index);
  test_folder_path(&self->redis.folder, name, self->files[index]);
  replica_start(&self->replicas[index], &self->callee, self->redis.address,
                self->files[index]);
}

static void start(fleet *self) {
  redis_server_start(&self->redis, NULL, NULL);
  e2e_node_start(&self->callee, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  for (int i = 0; i < EARLY; i++)
    join(self, i);
}

/* Calls the busy replicas, each so often. */
static void drive(const fleet *self, int times) {
  for (int i = 0; i < BUSY; i++)
    replica_drive(&self->replicas[i], times);
}

/* --- what eown-lab says of a memory ----------------------------------------
 */

typedef struct sight {
  char source[192];
  double failures; /* that are waited for */
  json_t *edge;    /* the only one there is */
} sight;

static bool look(void *user) {
  sight *self = user;
  e2e_run run;
  e2e_run_words(E2E_WORDS(E2E_LAB, "memory", self->source, "--service",
                          REPLICA_SERVICE, "--half-life", REPLICA_HALF_LIFE,
                          "--json"),
                &run);
  json_t *object = run.status == 0 ? json_loads(run.output, 0, NULL) : NULL;
  const json_t *edges = json_object_get(object, "edges");
  json_decref(self->edge);
  self->edge = json_array_size(edges) == 1
                   ? json_incref(json_array_get(edges, 0))
                   : NULL;
  json_decref(object);
  e2e_run_clear(&run);
  return json_number_value(json_object_get(self->edge, "failures")) >=
         self->failures - 0.01;
}

static void check_sight(sight *self, double failures) {
  TEST_TRACE("%s", self->source);
  self->failures = failures;
  CHECK_TRUE(test_wait(look, self));
  if (self->edge == NULL)
    return;
  CHECK_STREQ("/C/Call", e2e_json_text(self->edge, "inbound"));
  CHECK_STREQ("/D/Call", e2e_json_text(self->edge, "outbound"));
  CHECK_STREQ("fail-open", e2e_json_text(self->edge, "verdict"));
  CHECK_NEAR(failures, e2e_json_number(self->edge, "failures"), 0.01);
  CHECK_NEAR(0, e2e_json_number(self->edge, "together"), 0.01);
  json_decref(self->edge);
  self->edge = NULL;
}

static void check_redis(const fleet *self, double failures) {
  sight redis = {.edge = NULL};
  snprintf(redis.source, sizeof redis.source, "redis://%s",
           self->redis.address);
  check_sight(&redis, failures);
}

static void check_file(const fleet *self, int index, double failures) {
  sight file = {.edge = NULL};
  snprintf(file.source, sizeof file.source, "%s", self->files[index]);
  check_sight(&file, failures);
}

/* --- Redis goes ------------------------------------------------------------
 */

static void kill_redis(fleet *self) {
  redis_server_kill(&self->redis);
  for (int i = 0; i < REPLICAS; i++)
    replica_wait_complaint(&self->replicas[i]);
}

static void check_stop(fleet *self, int index, int64_t made) {
  TEST_TRACE("replica %d", index);
  json_t *exit = replica_stop(&self->replicas[index]);
  CHECK_EQ(made, e2e_json_integer(exit, "made"));
  CHECK_GE(e2e_json_integer(exit, "eown.memory_exchange_errors"), 1);
  CHECK_GE(e2e_json_integer(exit, "eown.memory_exchanges"), 2);
  json_decref(exit);
}

EOWN_TEST(Replicas, OneLearnsFromTheOthers) {
  fleet self;
  start(&self);
  drive(&self, 30); /* neither knows it alone: that takes 40 */
  check_redis(&self, 60);
  for (int i = 0; i < EARLY; i++)
    check_file(&self, i, 60);
  join(&self, EARLY);
  check_file(&self, EARLY, 60);
  kill_redis(&self);
  drive(&self, 25);
  redis_server_restart(&self.redis, NULL, NULL);
  check_redis(&self, 50); /* the new one has what was kept meanwhile */
  /* A loss is noticed by a sum that is smaller: all must have looked before the
   * sum grows beyond what they saw. */
  for (int i = 0; i < REPLICAS; i++)
    check_file(&self, i, 110);
  drive(&self, 15);
  check_redis(&self, 80);
  for (int i = 0; i < REPLICAS; i++)
    check_file(&self, i, 140);
  for (int i = 0; i < REPLICAS; i++)
    check_stop(&self, i, i < BUSY ? 70 : 0);
  check_file(&self, REPLICAS - 1, 140);
  json_decref(e2e_node_stop(&self.callee));
  redis_server_stop(&self.redis);
}
