/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A process that saves without end is killed at some moment or other: what is
 * left is a whole file. */
#include "counted.h"
#include "eown/snapshot.h"
#include "folder.h"
#include "support.h"

#include "gtest_c.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLS 30

/* Each save holds one edge more, up to fifty. */
_Noreturn static void save_for_ever(const char *path) {
  char message[512];
  eown_memory_table *table =
      eown_memory_table_create(64, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  for (unsigned i = 0;; i++) {
    counted_name name;
    eown_edge edge = counted_edge(&name, 1, i % 50);
    counted_fail(table, &edge, false, 1);
    if (!eown_snapshot_save(table, path, "shop", 1, message, sizeof message))
      _exit(1);
  }
}

static bool exists(void *path) { return test_file_exists(path); }

static void check_whole(const char *path) {
  eown_memory_table *table =
      eown_memory_table_create(64, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  CHECK_EQ(EOWN_SNAPSHOT_OK, eown_snapshot_load(table, path, "shop", 1));
  CHECK_LE(1, counted_edges(table));
  eown_memory_table_destroy(table);
}

EOWN_TEST(SnapshotKill, LeavesTheOldFileOrTheNew) {
  test_folder folder;
  char path[128];
  test_random random = {5};
  test_folder_make(&folder);
  test_folder_path(&folder, "memory", path);
  for (int i = 0; i < KILLS; i++) {
    pid_t child = fork();
    if (child == 0)
      save_for_ever(path);
    REQUIRE_TRUE(child > 0);
    CHECK_TRUE(test_wait(exists, path));
    usleep(test_random_below(&random, 8000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK_TRUE(WIFSIGNALED(status));
    check_whole(path);
  }
  test_folder_remove(&folder);
}
