/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The file and the thread that keeps it. */
#include "counted.h"
#include "eown/snapshot.h"
#include "folder.h"

#include "gtest_c.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS

/* A keeper with its table and what it logged. */
typedef struct scene {
  test_folder folder;
  char path[128];
  eown_memory_table *table;
  eown_snapshot_keeper *keeper;
  eown_edge edge;
  counted_name name;
  pthread_mutex_t mutex;
  int lines;
  char line[2048];
} scene;

static void note(void *user, const char *line) {
  scene *self = user;
  pthread_mutex_lock(&self->mutex);
  self->lines++;
  strncpy(self->line, line, sizeof self->line - 1);
  pthread_mutex_unlock(&self->mutex);
}

static void begin(scene *self) {
  memset(self, 0, sizeof *self);
  pthread_mutex_init(&self->mutex, NULL);
  test_folder_make(&self->folder);
  test_folder_path(&self->folder, "memory", self->path);
  self->edge = counted_edge(&self->name, 1, 1);
}

static void start(scene *self, uint64_t interval_ms) {
  self->table = eown_memory_table_create(64, DAY, NULL);
  eown_snapshot_options options = {.table = self->table,
                                   .path = self->path,
                                   .service = "shop",
                                   .interval_ms = interval_ms,
                                   .now_ms = test_now_ms,
                                   .log = note,
                                   .user = self};
  self->keeper = eown_snapshot_start(&options);
  CHECK_NOT_NULL(self->keeper);
}

static void stop(scene *self) {
  eown_snapshot_stop(self->keeper);
  eown_memory_table_destroy(self->table);
}

static void end(scene *self) {
  test_folder_remove(&self->folder);
  pthread_mutex_destroy(&self->mutex);
}

static bool is_open(void *user) {
  scene *self = user;
  return counted_kind(self->table, &self->edge, test_now_ms()) ==
         EOWN_EDGE_FAIL_OPEN;
}

static bool is_saved(void *user) {
  return test_file_exists(((scene *)user)->path);
}

EOWN_TEST(SnapshotFile, SurvivesARestart) {
  scene self;
  begin(&self);
  start(&self, DAY);
  counted_fails(self.table, &self.edge, false, 60, test_now_ms());
  stop(&self); /* saves */
  CHECK_TRUE(test_file_exists(self.path));
  start(&self, DAY);
  CHECK_TRUE(test_wait(is_open, &self));
  stop(&self);
  CHECK_EQ(0, self.lines);
  end(&self);
}

EOWN_TEST(SnapshotFile, SavesAtIntervals) {
  scene self;
  begin(&self);
  start(&self, 10);
  counted_fails(self.table, &self.edge, false, 60, test_now_ms());
  CHECK_TRUE(test_wait(is_saved, &self));
  stop(&self);
  end(&self);
}

static void check_refused(const void *data, size_t size, const char *reason) {
  scene self;
  char aside[160];
  TEST_TRACE("%s", reason);
  begin(&self);
  test_file_write(self.path, data, size);
  start(&self, DAY);
  stop(&self); /* has loaded, and saves a new one */
  CHECK_EQ(1, self.lines);
  CHECK_CONTAINS(self.path, self.line);
  CHECK_CONTAINS(reason, self.line);
  snprintf(aside, sizeof aside, "%s.refused", self.path);
  size_t kept_size = 0;
  uint8_t *kept = test_file_read(aside, &kept_size);
  CHECK_EQ(size, kept_size);
  if (kept != NULL && kept_size == size)
    CHECK_MEMEQ(data, kept, size);
  free(kept);
  CHECK_TRUE(test_file_exists(self.path));
  end(&self);
}

EOWN_TEST(SnapshotFile, RefusesAndSetsAside) {
  eown_memory_table *table = eown_memory_table_create(64, DAY, NULL);
  size_t size;
  uint8_t *data = eown_snapshot_encode(table, "cart", 1, 1, &size);
  eown_memory_table_destroy(table);
  check_refused("root:x:0:0", 10, "no memory of eown's");
  check_refused("", 0, "truncated");
  check_refused(data, size - 1, "truncated");
  check_refused(data, size, "another service");
  data[8] = 9;
  check_refused(data, size, "newer version");
  data[8] = 1;
  data[size - 1] ^= 1;
  check_refused(data, size, "corrupt");
  free(data);
}

/* What is no file is neither renamed nor replaced. */
EOWN_TEST(SnapshotFile, LeavesAFolderAlone) {
  scene self;
  begin(&self);
  strcpy(self.path, self.folder.path);
  start(&self, 10);
  stop(&self);
  CHECK_EQ(1, self.lines);
  CHECK_CONTAINS("cannot be read", self.line);
  struct stat status;
  CHECK_EQ(0, stat(self.folder.path, &status));
  CHECK_TRUE(S_ISDIR(status.st_mode));
  end(&self);
}

/* The folder is not there: one line, however often it fails; the service runs.
 */
EOWN_TEST(SnapshotFile, SaysOnceThatItCannotSave) {
  scene self;
  begin(&self);
  test_folder_path(&self.folder, "none/memory", self.path);
  start(&self, 10);
  counted_fails(self.table, &self.edge, false, 60, test_now_ms());
  CHECK_TRUE(is_open(&self));
  stop(&self);
  CHECK_EQ(1, self.lines);
  CHECK_CONTAINS(self.path, self.line);
  end(&self);
}
