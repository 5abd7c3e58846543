/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* That the checks of the pages would find something. */
#include "browser.h"
#include "folder.h"
#include "gtest_c.h"
#include "probe.h"

#include <stdlib.h>

static const char complaining[] =
    "<!DOCTYPE html><html lang=en><title>bad</title>"
    "<script>console.error('a word')</script>";

EOWN_TEST(PageProbe, HearsTheConsole) {
  char *path = page_folder_path("bad.html");
  page_file_write(path, complaining);
  e2e_run run;
  page_browser_open(path, false, &run);
  CHECK_TRUE(page_browser_complained(&run));
  e2e_run_clear(&run);
  page_file_write(path, "<!DOCTYPE html><html lang=en><title>good</title>");
  page_browser_open(path, false, &run);
  CHECK_FALSE(page_browser_complained(&run));
  e2e_run_clear(&run);
  free(path);
}

static void check_one(const json_t *found, const char *kind, const char *name) {
  const json_t *names = json_object_get(found, kind);
  TEST_TRACE("%s", kind);
  REQUIRE_EQ(1, json_array_size(names));
  CHECK_STREQ(name, json_string_value(json_array_get(names, 0)));
}

EOWN_TEST(PageProbe, MeasuresWhatIsShown) {
  char *path = page_folder_path("faulty.html");
  const char *const paths[] = {path};
  page_file_write(path, "<!DOCTYPE html><html lang=en><title>bad</title><body "
                        "style='margin:0;background:#fff;color:#000'>"
                        "<p style='width:400px'>too wide</p>"
                        "<p style='font-size:8px'>too small</p>"
                        "<p style='color:#aaa'>too faint</p><p>all right</p>");
  json_t *all = page_probe(paths, 1, true);
  json_t *found = json_array_get(all, 0);
  CHECK_EQ(360, json_integer_value(json_object_get(found, "width")));
  CHECK_TRUE(json_is_true(json_object_get(found, "dark")));
  check_one(found, "wide", "P too wide");
  check_one(found, "small", "P too small");
  check_one(found, "faint", "P too faint");
  json_decref(all);
  free(path);
}
