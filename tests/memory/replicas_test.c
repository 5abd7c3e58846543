/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Three processes of one service with a Redis between them: what two of them
 * see, the third knows; and a Redis that is killed costs no call. */
#include "client.h"
#include "gtest_c.h"
#include "lab.h"
#include "redis_server.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define REPLICAS 3
#define BUSY 2 /* the last replica serves nothing */
#define SERVICE "C"
/* The longest half-life: nothing fades, and buckets last for more than a year,
 * so that the sums are whole numbers. */
#define HALF_LIFE "1073741824"

typedef struct fleet {
  redis_server redis;
  e2e_node callee;
  e2e_node replicas[REPLICAS];
  char files[REPLICAS][128];
} fleet;

static void start_replica(fleet *self, int index) {
  char callee[64], redis[256], file[160], name[16];
  snprintf(name, sizeof name, "memory.%d", index);
  test_folder_path(&self->redis.folder, name, self->files[index]);
  snprintf(callee, sizeof callee, "D=127.0.0.1:%d,fail-open",
           self->callee.port);
  snprintf(redis, sizeof redis, "memory_redis=%s", self->redis.address);
  snprintf(file, sizeof file, "memory_file=%s", self->files[index]);
  e2e_node_start(&self->replicas[index], SERVICE, NULL,
                 E2E_WORDS("--callee", callee, "--unpinned", "--attempts", "1",
                           "--eown-server", redis, "--eown-server",
                           "memory_redis_interval_ms=50", "--eown-server", file,
                           "--eown-server", "memory_file_interval_ms=50",
                           "--eown-server", "memory_half_life_s=" HALF_LIFE));
}

/* A server's memory begins with its first connection: each gets one, for a
 * method that it does not have. */
static void greet(const e2e_node *replica) {
  e2e_node other = *replica;
  e2e_answer answer;
  strcpy(other.name, "none");
  e2e_call(&other, 0, &answer);
  CHECK_EQ(GRPC_STATUS_UNIMPLEMENTED, answer.status);
  e2e_answer_clear(&answer);
}

static void start(fleet *self) {
  redis_server_start(&self->redis, NULL, NULL);
  e2e_node_start(&self->callee, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  for (int i = 0; i < REPLICAS; i++) {
    start_replica(self, i);
    greet(&self->replicas[i]);
  }
}

/* Calls the busy replicas, each `times` times; all calls must end well. */
static void drive(const fleet *self, int times) {
  for (int i = 0; i < times * BUSY; i++) {
    e2e_answer answer;
    TEST_TRACE("call %d", i);
    e2e_call(&self->replicas[i % BUSY], 0, &answer);
    CHECK_EQ(GRPC_STATUS_OK, answer.status);
    e2e_answer_clear(&answer);
  }
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
  e2e_run_words(E2E_WORDS(E2E_LAB, "memory", self->source, "--service", SERVICE,
                          "--half-life", HALF_LIFE, "--json"),
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

#define COMPLAINT "going on with what is learned here"

/* What is logged is counted first. */
static bool has_complained(void *user) {
  const e2e_node *replica = user;
  char text[4096];
  ssize_t got = pread(fileno(replica->child.errors), text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  return strstr(text, COMPLAINT) != NULL;
}

static void kill_redis(fleet *self) {
  redis_server_kill(&self->redis);
  for (int i = 0; i < REPLICAS; i++)
    CHECK_TRUE(test_wait(has_complained, &self->replicas[i]));
}

static json_t *stop_replica(e2e_node *replica) {
  e2e_run run;
  kill(replica->child.pid, SIGTERM);
  e2e_child_finish(&replica->child, &run);
  CHECK_EQ(0, run.status);
  CHECK_CONTAINS(COMPLAINT, run.errors);
  const char *last = strchr(run.output, '\n'); /* the first says "ready" */
  json_t *exit = json_loads(last != NULL ? last : "", 0, NULL);
  CHECK_NOT_NULL(exit);
  e2e_run_clear(&run);
  return exit;
}

static void check_stop(fleet *self, int index, int64_t made) {
  TEST_TRACE("replica %d", index);
  json_t *exit = stop_replica(&self->replicas[index]);
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
  for (int i = 0; i < REPLICAS; i++)
    check_file(&self, i, 60);
  kill_redis(&self);
  drive(&self, 25);
  redis_server_restart(&self.redis, NULL, NULL);
  check_redis(&self, 50); /* the new one has what was kept meanwhile */
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
