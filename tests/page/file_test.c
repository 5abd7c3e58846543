/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Where the page goes, and what becomes of it where it cannot. */
#include "folder.h"
#include "gtest_c.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void run_to(const char *path, e2e_run *run) {
  e2e_run_words(
      E2E_WORDS(EOWN_LAB, "simulate", "--requests", "100", "--html", path),
      run);
}

/* Refused before the work: nothing is printed. */
static void check_refused(const char *path, const char *reason) {
  TEST_TRACE("%s", path);
  e2e_run run;
  char *message = page_format("--html: '%s' is not valid: expected a file that "
                              "can be written: %s",
                              path, reason);
  run_to(path, &run);
  CHECK_EQ(2, run.status);
  CHECK_STREQ("", run.output);
  CHECK_CONTAINS(message, run.errors);
  free(message);
  e2e_run_clear(&run);
}

EOWN_TEST(PageFile, Refused) {
  char *folder = page_folder_path("folder");
  char *below = page_folder_path("none/page.html");
  mkdir(folder, 0777);
  check_refused(folder, "it is a folder");
  check_refused(below, "No such file or directory");
  check_refused("/dev/null", "it is no regular file");
  check_refused("/proc/page.html", "");
  free(folder);
  free(below);
}

static const char *const commands[][3] = {
    {"chain", "--requests", "10"},
    {"published", "--only", "stock retries"},
    {"radius", "/dev/null", NULL},
    {"simulate", "--requests", "10"},
};

EOWN_TEST(PageFile, NeedsAName) {
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "chain", "--html="), &run);
  CHECK_EQ(2, run.status);
  CHECK_CONTAINS("--html: '' is not valid: expected a file that can be "
                 "written: no name",
                 run.errors);
  e2e_run_clear(&run);
}

EOWN_TEST(PageFile, RefusedByEachCommand) {
  for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
    const char *all[E2E_WORDS_MAX] = {NULL};
    e2e_run run;
    TEST_TRACE("%s", commands[i][0]);
    e2e_words_add(all, E2E_WORDS(EOWN_LAB, commands[i][0]));
    e2e_words_add(all, E2E_WORDS("--html=/no/where.html", commands[i][1]));
    e2e_words_add(all, E2E_WORDS(commands[i][2]));
    e2e_run_words(all, &run);
    CHECK_EQ(2, run.status);
    CHECK_STREQ("", run.output);
    CHECK_CONTAINS("'/no/where.html' is not valid", run.errors);
    e2e_run_clear(&run);
  }
}

/* What was there stays where the command fails later on. */
EOWN_TEST(PageFile, KeepsWhatWasThere) {
  char *path = page_folder_path("kept.html");
  char *input = page_folder_path("broken.json");
  page_file_write(path, "before");
  page_file_write(input, "[{");
  e2e_run run;
  e2e_run_words(E2E_WORDS(EOWN_LAB, "radius", input, "--html", path), &run);
  CHECK_EQ(2, run.status);
  char *text = page_file_read(path);
  CHECK_STREQ("before", text);
  CHECK_EQ(0, page_folder_count(".eown-lab"));
  e2e_run_clear(&run);
  free(text);
  free(input);
  free(path);
}

EOWN_TEST(PageFile, ReplacesThroughALink) {
  char *path = page_folder_path("real.html");
  char *link = page_folder_path("link.html");
  struct stat about;
  e2e_run run;
  page_file_write(path, "before");
  CHECK_EQ(0, symlink("real.html", link));
  mode_t mask = umask(022);
  run_to(link, &run);
  umask(mask);
  CHECK_EQ(0, run.status);
  CHECK_EQ(0, lstat(link, &about));
  CHECK_TRUE(S_ISLNK(about.st_mode));
  CHECK_EQ(0, lstat(path, &about));
  CHECK_EQ(0644, about.st_mode & 0777);
  char *text = page_file_read(path);
  CHECK_CONTAINS("</html>", text);
  CHECK_EQ(0, page_folder_count(".eown-lab"));
  free(text);
  free(link);
  free(path);
  e2e_run_clear(&run);
}

/* A disk that is full: a limit on the size of files stands for it. */
EOWN_TEST(PageFile, NotHalfWritten) {
  char *path = page_folder_path("full.html");
  e2e_run run;
  e2e_run_words(E2E_WORDS("/bin/sh", "-c",
                          "trap '' XFSZ; ulimit -f 2; exec \"$0\" simulate "
                          "--requests 100 --html \"$1\" >&2",
                          EOWN_LAB, path),
                &run);
  CHECK_EQ(1, run.status);
  CHECK_CONTAINS("cannot write '", run.errors);
  CHECK_NE(0, access(path, F_OK));
  CHECK_EQ(0, page_folder_count(".eown-lab"));
  e2e_run_clear(&run);
  free(path);
}
