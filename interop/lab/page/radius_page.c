/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "callgraph.h"
#include "histogram.h"
#include "lab/base/failure.h"
#include "pages.h"
#include "radius_tables.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#define PATH PAGE_WORST_PATH

static void write_facts(page *page) {
  page_facts_begin(page);
  page_fact(page, "radius at most, stock retries", PAGE_PLAIN,
            "/overall/radius_max/stock");
  page_fact(page, "radius at most, ownership", PAGE_PLAIN,
            "/overall/radius_max/ownership");
  page_fact(page, "load at most, stock retries", PAGE_TIMES,
            "/overall/amplification_max/stock");
  page_fact(page, "load at most, ownership", PAGE_TIMES,
            "/overall/amplification_max/ownership");
  page_fact(page, "call graphs", PAGE_PLAIN, "/graphs");
  if (page_number(page, "/cycles") > 0)
    page_fact(page, "edges left out, as they close cycles", PAGE_PLAIN,
              "/cycles");
  page_facts_end(page);
}

static void draw_histogram(page *page) {
  page_histogram histogram = {
      .title = "Roots by radius, before and after",
      .about = "A row for each radius. To the left, how many roots have it "
               "under stock retries; to the right, how many under error "
               "ownership. The table has the numbers.",
      .array = "/histogram",
      .value = "radius",
      .counts = "roots",
      .before = "stock",
      .after = "ownership"};
  page_histogram_draw(page, &histogram);
  page_figure_end(page);
}

static bool *find_multiplies(const page *page, const char *way) {
  size_t count = page_size(page, PATH "/nodes");
  bool *multiplies = lab_allocate(count + 1, sizeof(*multiplies));
  for (size_t i = 0; i + 1 < count; i++)
    multiplies[i] =
        json_is_true(page_get(page, PATH "/nodes/%zu/multiplies/%s", i, way));
  return multiplies;
}

static void draw_path(page *page) {
  size_t count = page_size(page, PATH "/nodes");
  bool *stock = find_multiplies(page, "stock");
  bool *ownership = find_multiplies(page, "ownership");
  bool *failing = lab_allocate(count + 1, sizeof(*failing));
  failing[count ? count - 1 : 0] = true;
  char *about = lab_format(
      "The call path from %s down to %s, which fails, twice: under stock "
      "retries and under error ownership. Thick lines mark the calls on which "
      "attempts multiply.",
      page_string(page, PATH "/root"), page_string(page, PATH "/failing"));
  page_callgraph callgraph = {
      .title = "The worst path of the worst root",
      .about = about,
      .array = PATH "/nodes",
      .name = "name",
      .failing = failing,
      .lanes = {{"stock", "load/stock", stock},
                {"ownership", "load/ownership", ownership}},
      .lane_count = 2};
  page_callgraph_draw(page, &callgraph);
  page_caption_begin(page);
  page_text(page, page_callgraph_key);
  page_caption_end(page);
  page_figure_end(page);
  free(about);
  free(failing);
  free(stock);
  free(ownership);
}

void page_write_radius(page_file *file, const json_t *result) {
  if (!file)
    return;
  page page;
  page_begin(&page, file, result, PAGE_RADIUS_FLAGS,
             "How far a retry storm would spread");
  write_facts(&page);
  page_section_begin(&page, "The storm radius");
  page_put(&page,
           "<p>The radius of a root is the number of consecutive hops, up from "
           "a service that always fails, over which attempts multiply.</p>\n");
  page_row_begin(&page);
  draw_histogram(&page);
  draw_path(&page);
  page_row_end(&page);
  page_section_end(&page);
  page_radius_advice(&page);
  page_radius_tables(&page);
  page_end(&page);
}
