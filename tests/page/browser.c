/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"

#include "folder.h"
#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"/usr/bin/env",
                                    "timeout",
                                    "120",
                                    "chromium",
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-quic",
                                    "--disable-dev-shm-usage",
                                    "--no-first-run",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--host-resolver-rules=MAP * ~NOTFOUND",
                                    "--enable-logging=stderr",
                                    "--v=0",
                                    "--window-size=1200,900",
                                    "--dump-dom",
                                    NULL};

/* Each time with a new profile: nothing is left over from before. */
static char *make_profile(void) {
  static int count;
  char *name = page_format("profile%d", count++);
  char *path = page_folder_path(name);
  char *option = page_format("--user-data-dir=%s", path);
  free(path);
  free(name);
  return option;
}

void page_browser_open(const char *path, bool dark, e2e_run *run) {
  const char *all[E2E_WORDS_MAX] = {NULL};
  char *profile = make_profile();
  char *address = page_format("file://%s", path);
  e2e_words_add(all, words);
  e2e_words_add(all, E2E_WORDS(profile));
  if (dark)
    e2e_words_add(all, E2E_WORDS("--force-dark-mode"));
  e2e_words_add(all, E2E_WORDS(address));
  e2e_run_words(all, run);
  if (run->status == 127)
    FAIL_TEST("no program chromium: install the package chromium");
  CHECK_EQ(0, run->status);
  free(address);
  free(profile);
}

bool page_browser_complained(const e2e_run *run) {
  return strstr(run->errors, ":CONSOLE") != NULL;
}
