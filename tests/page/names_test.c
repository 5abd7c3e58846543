/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Names that mean something to HTML, SVG or JSON. */
#include "browser.h"
#include "dom.h"
#include "folder.h"
#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

static const char calls[] =
    "[{\"parent\":\"</script><script>console.error(1)</script>\","
    "\"child\":\"a\\\"b' onfocus=x & <b>&amp;<!--\",\"callCount\":1},"
    "{\"parent\":\"a\\\"b' onfocus=x & <b>&amp;<!--\",\"child\":"
    "\"\\u00e9\\u4e2d]]>%s%n\\u202e\",\"callCount\":1}]";

static char *make(const char *command, const char *option, const char *input) {
  char *path = page_folder_path("names.html");
  e2e_run run;
  e2e_run_words(
      option ? E2E_WORDS(EOWN_LAB, command, option, input, "--html", path)
             : E2E_WORDS(EOWN_LAB, command, input, "--html", path),
      &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  e2e_run_clear(&run);
  return path;
}

static void check_page(const char *path) {
  e2e_run run;
  page_browser_open(path, false, &run);
  CHECK_FALSE(page_browser_complained(&run));
  json_t *result = page_dom_result(run.output);
  CHECK_GT(page_dom_check_numbers(run.output, result), 5u);
  page_dom_check_form(run.output);
  CHECK_EQ(0, page_dom_count(run.output, "<b>"));
  json_decref(result);
  e2e_run_clear(&run);
}

EOWN_TEST(PageNames, StayText) {
  char *input = page_folder_path("names.json");
  page_file_write(input, calls);
  char *page = make("radius", NULL, input);
  check_page(page);
  char *text = page_file_read(page);
  CHECK_EQ(1, page_dom_count(text, "</script>"));
  CHECK_CONTAINS("\\u003c/script>", text);
  free(text);
  free(page);
  page = make("simulate", "--graph", input);
  check_page(page);
  free(page);
  free(input);
}
