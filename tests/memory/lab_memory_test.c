/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* eown-lab memory: what is in a file, as a table and as JSON. */
#include "counted.h"
#include "eown/memory_json.h"
#include "eown/snapshot.h"
#include "folder.h"
#include "run.h"

#include "gtest_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct saved {
  test_folder folder;
  char path[128];
  char *json;
} saved;

static void save(saved *self) {
  char message[256] = "";
  counted_name name;
  eown_memory_table *table =
      eown_memory_table_create(64, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  test_folder_make(&self->folder);
  test_folder_path(&self->folder, "memory", self->path);
  eown_edge edge = counted_edge(&name, 1, 2);
  counted_fails(table, &edge, true, 9, 1000);
  edge = counted_edge(&name, 1, 1);
  counted_fails(table, &edge, false, 60, 1000);
  CHECK_TRUE(eown_snapshot_save(table, self->path, "shop", 1000, message,
                                sizeof message));
  CHECK_STREQ("", message);
  self->json = eown_memory_json(table, 1000);
  eown_memory_table_destroy(table);
}

static void clear(saved *self) {
  free(self->json);
  test_folder_remove(&self->folder);
}

/* Runs it on a file with an option and its value (NULL: none). */
static void run(const char *file, const char *option, const char *value,
                e2e_run *run) {
  e2e_run_words(E2E_WORDS(E2E_LAB, "memory", file, option, value), run);
}

EOWN_TEST(LabMemory, PrintsATable) {
  saved self;
  e2e_run result;
  save(&self);
  run(self.path, NULL, NULL, &result);
  CHECK_EQ(0, result.status);
  CHECK_STREQ("", result.errors);
  const char *open = strstr(result.output, "/in.S/M1 > /out.S/M1");
  const char *close = strstr(result.output, "/in.S/M1 > /out.S/M2");
  CHECK_TRUE(open != NULL && close != NULL && open < close);
  CHECK_CONTAINS("0 of 60", open);
  CHECK_CONTAINS("fail-open", open);
  CHECK_CONTAINS("9 of 9", close);
  CHECK_CONTAINS("fail-close", close);
  e2e_run_clear(&result);
  clear(&self);
}

/* The numbers fade and the age grows from the save on: by names and verdicts.
 */
EOWN_TEST(LabMemory, PrintsTheSameJsonAsTheLibrary) {
  saved self;
  e2e_run result;
  save(&self);
  run(self.path, "--json", NULL, &result);
  CHECK_EQ(0, result.status);
  size_t begin = (size_t)(strstr(self.json, "\"confidence\"") - self.json);
  CHECK_MEMEQ(self.json, result.output, begin);
  CHECK_EQ(strlen(result.output) - 1, strcspn(result.output, "\n"));
  e2e_run_clear(&result);
  clear(&self);
}

EOWN_TEST(LabMemory, SaysWhatIsWrong) {
  saved self;
  e2e_run result;
  save(&self);
  run(self.path, "--service", "cart", &result);
  CHECK_NE(0, result.status);
  CHECK_CONTAINS("another service", result.errors);
  CHECK_CONTAINS(self.path, result.errors);
  e2e_run_clear(&result);
  test_file_write(self.path, "nonsense", 8);
  run(self.path, NULL, NULL, &result);
  CHECK_NE(0, result.status);
  CHECK_CONTAINS("no memory of eown's", result.errors);
  CHECK_STREQ("", result.output);
  e2e_run_clear(&result);
  clear(&self);
}
