/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "replica.h"

#include "client.h"
#include "folder.h"

#include "gtest_c.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static void greet(const e2e_node *replica) {
  e2e_node other = *replica;
  e2e_answer answer;
  strcpy(other.name, "none"); /* a method that it does not have */
  e2e_call(&other, 0, &answer);
  CHECK_EQ(GRPC_STATUS_UNIMPLEMENTED, answer.status);
  e2e_answer_clear(&answer);
}

void replica_start(e2e_node *replica, const e2e_node *callee, const char *redis,
                   const char *file) {
  char edge[64], shared[256], kept[160];
  snprintf(edge, sizeof edge, "D=127.0.0.1:%d,fail-open", callee->port);
  snprintf(shared, sizeof shared, "memory_redis=%s", redis);
  snprintf(kept, sizeof kept, "memory_file=%s", file);
  e2e_node_start(replica, REPLICA_SERVICE, NULL,
                 E2E_WORDS("--callee", edge, "--unpinned", "--attempts", "1",
                           "--eown-server", shared, "--eown-server",
                           "memory_redis_interval_ms=50", "--eown-server", kept,
                           "--eown-server", "memory_file_interval_ms=50",
                           "--eown-server",
                           "memory_half_life_s=" REPLICA_HALF_LIFE));
  greet(replica);
}

void replica_drive(const e2e_node *replica, int calls) {
  for (int i = 0; i < calls; i++) {
    e2e_answer answer;
    TEST_TRACE("call %d", i);
    e2e_call(replica, 0, &answer);
    CHECK_EQ(GRPC_STATUS_OK, answer.status);
    e2e_answer_clear(&answer);
  }
}

#define COMPLAINT "going on with what is learned here"

static bool has_complained(void *user) {
  const e2e_node *replica = user;
  char text[4096];
  ssize_t got = pread(fileno(replica->child.errors), text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  return strstr(text, COMPLAINT) != NULL;
}

void replica_wait_complaint(e2e_node *replica) {
  CHECK_TRUE(test_wait(has_complained, replica));
}

json_t *replica_stop(e2e_node *replica) {
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
