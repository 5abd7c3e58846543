/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "radius_tables.h"

#include "lab/base/failure.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

#define PATH PAGE_WORST_PATH
#define ROOTS_MOST 10u

static const char *const radius_ways[] = {"stock", "chain_stop", "ownership",
                                          "ownership_full"};
static const char *const load_ways[] = {"stock", "budget", "ownership",
                                        "ownership_full"};
#define WAYS 4u

/* Ways that the result has: without the last where eown is everywhere. */
static size_t count_ways(const page *page) {
  return page_get(page, "/overall/radius_max/ownership_full") ? WAYS : WAYS - 1;
}

static void begin_ways(page *page, const char *caption, const char *first,
                       const char *const *ways) {
  const char *titles[WAYS + 2] = {first};
  for (size_t i = 0; i < count_ways(page); i++)
    titles[i + 1] = page_way(ways[i]);
  page_table_begin(page, caption, titles);
}

/* A row of what is at a place, by way. */
static void write_ways(page *page, const char *name, const char *place,
                       const char *const *ways) {
  page_table_row_begin(page, name, NULL);
  for (size_t i = 0; i < count_ways(page); i++)
    page_table_value(page, PAGE_PLAIN, "%s/%s", place, ways[i]);
  page_table_row_end(page);
}

static void write_overall(page *page) {
  begin_ways(page, "Radius over all roots", "radius", radius_ways);
  write_ways(page, "at most", "/overall/radius_max", radius_ways);
  write_ways(page, "mean", "/overall/radius_mean", radius_ways);
  write_ways(page, "weighted mean", "/overall/radius_mean_weighted",
             radius_ways);
  page_table_end(page);
  begin_ways(page, "Load over that without retries", "load", load_ways);
  write_ways(page, "at most", "/overall/amplification_max", load_ways);
  page_table_end(page);
}

static void write_histogram(page *page) {
  page_table_begin(page, "Roots by radius",
                   PAGE_TITLES("radius", "stock", "chain stop", "ownership"));
  for (size_t i = 0; i < page_size(page, "/histogram"); i++) {
    page_put(page, "<tr><th scope=\"row\">");
    page_value(page, PAGE_PLAIN, "/histogram/%zu/radius", i);
    page_put(page, "</th>");
    for (size_t j = 0; j < WAYS - 1; j++)
      page_table_value(page, PAGE_PLAIN, "/histogram/%zu/roots/%s", i,
                       radius_ways[j]);
    page_table_row_end(page);
  }
  page_table_end(page);
}

static void write_path(page *page) {
  begin_ways(page, "Load on the worst path", "service", load_ways);
  for (size_t i = 0; i < page_size(page, PATH "/nodes"); i++) {
    char *place = lab_format(PATH "/nodes/%zu/load", i);
    write_ways(page, page_string(page, PATH "/nodes/%zu/name", i), place,
               load_ways);
    free(place);
  }
  page_table_end(page);
}

/* A root, with its place in the order of the worst. */
typedef struct ranked {
  size_t root;
  double radius;
  double load;
} ranked;

static int compare(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->radius != b->radius)
    return a->radius > b->radius ? -1 : 1;
  if (a->load != b->load)
    return a->load > b->load ? -1 : 1;
  return (a->root > b->root) - (a->root < b->root);
}

static double member(const json_t *root, const char *group, const char *way) {
  return json_number_value(json_object_get(json_object_get(root, group), way));
}

static ranked *rank_roots(const page *page) {
  const json_t *roots = page_get(page, "/roots");
  ranked *ranking = lab_allocate(json_array_size(roots) + 1, sizeof(*ranking));
  for (size_t i = 0; i < json_array_size(roots); i++) {
    const json_t *root = json_array_get(roots, i);
    ranking[i] = (ranked){i, member(root, "radius", "stock"),
                          member(root, "amplification", "stock")};
  }
  qsort(ranking, json_array_size(roots), sizeof(*ranking), compare);
  return ranking;
}

static void write_root(page *page, size_t root) {
  const char *service = page_string(page, "/roots/%zu/service", root);
  page_table_row_begin(page, page_string(page, "/roots/%zu/root", root),
                       *service ? service : NULL);
  page_table_value(page, PAGE_PLAIN, "/roots/%zu/radius/stock", root);
  page_table_value(page, PAGE_PLAIN, "/roots/%zu/radius/ownership", root);
  page_table_value(page, PAGE_PLAIN, "/roots/%zu/amplification/stock", root);
  page_table_value(page, PAGE_PLAIN, "/roots/%zu/amplification/ownership",
                   root);
  page_table_row_end(page);
}

static void write_roots(page *page) {
  size_t count = page_size(page, "/roots");
  ranked *ranking = rank_roots(page);
  page_table_begin(page, "The worst roots",
                   PAGE_TITLES("root", "radius, stock", "radius, owned",
                               "load, stock", "load, owned"));
  for (size_t i = 0; i < count && i < ROOTS_MOST; i++)
    write_root(page, ranking[i].root);
  page_table_end(page);
  free(ranking);
}

void page_radius_tables(page *page) {
  page_section_begin(page, "The numbers");
  page_row_begin(page);
  write_overall(page);
  write_histogram(page);
  write_path(page);
  write_roots(page);
  page_row_end(page);
  page_section_end(page);
}

static void write_step(page *page, size_t step) {
  const char *service = page_string(page, "/advice/%zu/service", step);
  page_put(page, "<li>");
  if (!strcmp(page_string(page, "/advice/%zu/action", step), "retry")) {
    page_put(page, "A retry policy for the calls from <strong>");
    page_text(page, page_string(page, "/advice/%zu/caller", step));
    page_put(page, "</strong> to <strong>");
    page_text(page, page_string(page, "/advice/%zu/callee", step));
  } else {
    page_put(page, "eown at <strong>");
    page_text(page, page_string(page, "/advice/%zu/at", step));
  }
  page_put(page, "</strong>");
  if (*service) {
    page_put(page, " of ");
    page_text(page, service);
  }
  page_put(page, ": radius then ");
  page_value(page, PAGE_PLAIN, "/advice/%zu/radius_max", step);
  page_put(page, " at most, ");
  page_value(page, PAGE_PLAIN, "/advice/%zu/radius_mean", step);
  page_put(page, " on average</li>\n");
}

void page_radius_advice(page *page) {
  if (page_size(page, "/advice") == 0)
    return;
  page_section_begin(page, "What to do next");
  page_put(page, "<p>In this order; each step builds on those before.</p>\n"
                 "<ol>\n");
  for (size_t i = 0; i < page_size(page, "/advice"); i++)
    write_step(page, i);
  page_put(page, "</ol>\n");
  page_section_end(page);
}
