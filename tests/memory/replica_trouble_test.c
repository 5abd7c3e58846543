/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A service whose Redis is away, hangs, is full or answers errors: its calls go
 * on as ever, and it learns by itself. */
#include "counted.h"
#include "eown/snapshot.h"
#include "gtest_c.h"
#include "lab.h"
#include "redis_server.h"
#include "replica.h"

#include <signal.h>

#define CALLS 100

typedef struct trouble {
  const char *name;
  const char *option; /* for Redis */
  const char *value;
  void (*begin)(redis_server *redis); /* NULL: nothing more */
  void (*end)(redis_server *redis);
} trouble;

static void go(redis_server *redis) { redis_server_kill(redis); }

static void come(redis_server *redis) {
  redis_server_restart(redis, NULL, NULL);
}

static void hang(redis_server *redis) { kill(redis->pid, SIGSTOP); }

static void wake(redis_server *redis) { kill(redis->pid, SIGCONT); }

static const trouble troubles[] = {
    {"away", NULL, NULL, go, come},
    {"hangs", NULL, NULL, hang, wake},
    {"full", "--maxmemory", "1", NULL, NULL},
    {"errors", "--requirepass", "secret", NULL, NULL},
};

/* What the replica has learned is in its file when it has ended. */
static void check_learned(const char *file) {
  eown_memory_table *table =
      eown_memory_table_create(16, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  static const eown_edge edge = {"/C/Call", 7, "/D/Call", 7};
  eown_memory_entry entry = {.failures = 0};
  CHECK_EQ(EOWN_SNAPSHOT_OK, eown_snapshot_load(table, file, NULL, 1000));
  CHECK_TRUE(counted_find(table, &edge, 1000, &entry));
  CHECK_NEAR(CALLS, entry.failures, 0.01);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, entry.kind);
  eown_memory_table_destroy(table);
}

/* A call that waited for Redis would need an exchange that fails: there are
 * fewer of those than calls. */
static void check_counts(e2e_node *replica) {
  json_t *exit = replica_stop(replica);
  int64_t errors = e2e_json_integer(exit, "eown.memory_exchange_errors");
  CHECK_EQ(CALLS, e2e_json_integer(exit, "made"));
  CHECK_GE(errors, 1);
  CHECK_LT(errors, CALLS);
  json_decref(exit);
}

static void check_trouble(const trouble *row, const e2e_node *callee) {
  redis_server redis;
  e2e_node replica;
  char file[128];
  TEST_TRACE("Redis: %s", row->name);
  redis_server_start(&redis, row->option, row->value);
  test_folder_path(&redis.folder, "memory", file);
  if (row->begin != NULL)
    row->begin(&redis);
  replica_start(&replica, callee, redis.address, file);
  replica_drive(&replica, CALLS / 2);
  replica_wait_complaint(&replica);
  replica_drive(&replica, CALLS / 2);
  if (row->end != NULL)
    row->end(&redis);
  check_counts(&replica);
  check_learned(file);
  redis_server_stop(&redis);
}

EOWN_TEST(ReplicaTrouble, ReachesNoCall) {
  e2e_node callee;
  e2e_node_start(&callee, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++)
    check_trouble(&troubles[i], &callee);
  json_decref(e2e_node_stop(&callee));
}
