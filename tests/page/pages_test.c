/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Each page as a browser shows it. */
#include "browser.h"
#include "dom.h"
#include "folder.h"
#include "gtest_c.h"
#include "probe.h"

#include <stdlib.h>
#include <string.h>

/* A page, made with what its command says as JSON. */
typedef struct made_page {
  char *path;
  json_t *printed;
  char *dom;
} made_page;

static json_t *run_lab(const char *path, const char *const *words) {
  const char *all[E2E_WORDS_MAX] = {NULL};
  e2e_run run;
  e2e_words_add(all, E2E_WORDS(EOWN_LAB));
  e2e_words_add(all, words);
  e2e_words_add(all, E2E_WORDS("--json", "--html", path));
  e2e_run_words(all, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *printed = json_loads(run.output, 0, NULL);
  CHECK_NOT_NULL(printed);
  e2e_run_clear(&run);
  return printed;
}

/* Makes the page, opens it, and checks what holds of every page. */
static void make_page(made_page *page, const char *name,
                      const char *const *words) {
  e2e_run run;
  page->path = page_folder_path(name);
  page->printed = run_lab(page->path, words);
  page_browser_open(page->path, false, &run);
  CHECK_FALSE(page_browser_complained(&run));
  if (page_browser_complained(&run))
    FAIL_TEST("%s", strstr(run.errors, ":CONSOLE"));
  page->dom = strdup(run.output);
  e2e_run_clear(&run);
  json_t *held = page_dom_result(page->dom);
  CHECK_TRUE(json_equal(page->printed, held));
  CHECK_GT(page_dom_check_numbers(page->dom, held), 20u);
  page_dom_check_strangers(page->dom);
  page_dom_check_form(page->dom);
  json_decref(held);
}

static void clear_page(made_page *page) {
  free(page->path);
  free(page->dom);
  json_decref(page->printed);
}

/* Checks that a member of each item of an array is shown. */
static void check_all_shown(const made_page *page, const char *array,
                            size_t count, const char *member, bool table) {
  for (size_t i = 0; i < count; i++) {
    char *place = page_format("%s/%zu%s", array, i, member);
    page_dom_check_shown(page->dom, place, table);
    free(place);
  }
}

#define CHAIN                                                                  \
  E2E_WORDS("chain", "--nodes", "5", "--fail", "D=1", "--requests", "50",      \
            "--node-binary", EOWN_NODE)

EOWN_TEST(Pages, Chain) {
  made_page page;
  make_page(&page, "chain.html", CHAIN);
  check_all_shown(&page, "/nodes", 5, "/served", true);
  check_all_shown(&page, "/nodes", 5, "/ratio", true);
  check_all_shown(&page, "/nodes", 5, "/ratio", false);
  check_all_shown(&page, "/nodes", 5, "/retries_stopped/unclaimed", true);
  check_all_shown(&page, "/nodes", 5, "/claims_sent/unclaimed", true);
  page_dom_check_shown(page.dom, "/root/hops", true);
  /* The storm is on C's calls to D alone. */
  CHECK_EQ(1, page_dom_count(page.dom, "class=\"storm\""));
  CHECK_EQ(3, page_dom_count(page.dom, "class=\"calm\""));
  clear_page(&page);
}

EOWN_TEST(Pages, ChainWithoutOwnership) {
  made_page page;
  make_page(&page, "stock.html",
            E2E_WORDS("chain", "--mode", "off", "--requests", "50",
                      "--node-binary", EOWN_NODE));
  CHECK_EQ(3, page_dom_count(page.dom, "class=\"storm\""));
  CHECK_EQ(0, page_dom_count(page.dom, "class=\"calm\""));
  clear_page(&page);
}

EOWN_TEST(Pages, Published) {
  made_page page;
  make_page(&page, "published.html",
            E2E_WORDS("published", "--simulated=only"));
  size_t count = json_array_size(json_object_get(page.printed, "scenarios"));
  check_all_shown(&page, "/scenarios", count, "/expected", true);
  check_all_shown(&page, "/scenarios", count, "/expected", false);
  check_all_shown(&page, "/scenarios", count, "/simulated", true);
  check_all_shown(&page, "/scenarios", count, "/simulated", false);
  CHECK_CONTAINS("Every value is as published.", page.dom);
  clear_page(&page);
}

EOWN_TEST(Pages, PublishedBesideMeasured) {
  made_page page;
  make_page(&page, "measured.html",
            E2E_WORDS("published", "--only", "stock retries", "--simulated",
                      "--node-binary", EOWN_NODE));
  check_all_shown(&page, "/scenarios", 7, "/measured", true);
  check_all_shown(&page, "/scenarios", 7, "/measured", false);
  check_all_shown(&page, "/scenarios", 7, "/expected", false);
  clear_page(&page);
}

EOWN_TEST(Pages, Radius) {
  made_page page;
  char *calls = page_folder_path("calls.csv");
  page_file_write(calls, "A,B,10\nB,C,10\nC,D,10\nA,E,10\nX,C,10\nD,B,1\n");
  make_page(&page, "radius.html", E2E_WORDS("radius", calls));
  size_t radii = json_array_size(json_object_get(page.printed, "histogram"));
  CHECK_EQ(4, radii);
  check_all_shown(&page, "/histogram", radii, "/roots/stock", true);
  check_all_shown(&page, "/histogram", radii, "/roots/ownership", true);
  check_all_shown(&page, "/histogram", radii, "/radius", false);
  page_dom_check_shown(page.dom, "/overall/radius_max/stock", true);
  check_all_shown(&page, "/worst_path/nodes", 4, "/load/stock", false);
  check_all_shown(&page, "/worst_path/nodes", 4, "/load/ownership", true);
  check_all_shown(&page, "/roots", 2, "/radius/stock", true);
  check_all_shown(&page, "/advice", 1, "/radius_max", true);
  /* Three hops under stock retries, one under ownership. */
  CHECK_EQ(4, page_dom_count(page.dom, "class=\"storm\""));
  CHECK_EQ(2, page_dom_count(page.dom, "class=\"calm\""));
  clear_page(&page);
  free(calls);
}

EOWN_TEST(Pages, Simulate) {
  made_page page;
  make_page(&page, "simulate.html",
            E2E_WORDS("simulate", "--scenario", "metastable"));
  size_t runs = json_array_size(json_object_get(page.printed, "runs"));
  CHECK_GE(runs, 2u);
  check_all_shown(&page, "/runs", runs, "/availability", true);
  check_all_shown(&page, "/runs", runs, "/services/3/load", true);
  check_all_shown(&page, "/runs", runs, "/services/3/load", false);
  check_all_shown(&page, "/runs/0/curve/load", 60, "", true);
  check_all_shown(&page, "/runs/0/curve/failures", 60, "", true);
  CHECK_CONTAINS("Does not recover.", page.dom);
  CHECK_EQ(runs, page_dom_count(page.dom, "<path class=\"mark-after\""));
  CHECK_EQ(runs, page_dom_count(page.dom, "<path class=\"mark-before\""));
  clear_page(&page);
}

EOWN_TEST(Pages, SimulateManyServices) {
  made_page page;
  make_page(&page, "many.html",
            E2E_WORDS("simulate", "--services", "300", "--requests", "1000"));
  CHECK_CONTAINS("The services with the highest load.", page.dom);
  clear_page(&page);
}

static void check_nothing(const json_t *found, const char *kind) {
  const json_t *names = json_object_get(found, kind);
  CHECK_TRUE(json_is_array(names));
  for (size_t i = 0; i < json_array_size(names); i++)
    FAIL_TEST("%s: %s: %s", json_string_value(json_object_get(found, "page")),
              kind, json_string_value(json_array_get(names, i)));
}

/* The pages of the tests above; made anew where they were left out. */
static void probe_all(bool dark) {
  char *paths[4];
  char *calls = page_folder_path("calls.csv");
  static const char *const names[] = {"chain.html", "published.html",
                                      "radius.html", "simulate.html"};
  const char *const *const words[] = {
      CHAIN, E2E_WORDS("published", "--simulated=only"),
      E2E_WORDS("radius", calls),
      E2E_WORDS("simulate", "--scenario", "metastable")};
  page_file_write(calls, "front-end-of-everything,a.b.c/LongMethodName,10\n"
                         "a.b.c/LongMethodName,an/even/longer/Name/Than/That"
                         "/one/could/be/cut/Off,10\n");
  for (size_t i = 0; i < 4; i++) {
    paths[i] = page_folder_path(names[i]);
    json_decref(run_lab(paths[i], words[i]));
  }
  json_t *all = page_probe((const char *const *)paths, 4, dark);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *found = json_array_get(all, i);
    CHECK_EQ(360, json_integer_value(json_object_get(found, "width")));
    CHECK_EQ(dark, json_is_true(json_object_get(found, "dark")));
    CHECK_GT(json_integer_value(json_object_get(found, "texts")), 20);
    check_nothing(found, "wide");
    check_nothing(found, "small");
    check_nothing(found, "faint");
  }
  json_decref(all);
  for (size_t i = 0; i < 4; i++)
    free(paths[i]);
  free(calls);
}

EOWN_TEST(Pages, FitAPhone) { probe_all(false); }

EOWN_TEST(Pages, FitAPhoneInTheDark) { probe_all(true); }
