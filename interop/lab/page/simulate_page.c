/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "bars.h"
#include "curves.h"
#include "lab/base/failure.h"
#include "pages.h"
#include "simulate_tables.h"
#include "svg.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUNS PAGE_RUNS

static void write_facts(page *page) {
  page_facts_begin(page);
  page_fact(page, "services", PAGE_PLAIN, "/services");
  page_fact(page, "edges between them", PAGE_PLAIN, "/edges");
  if (page_number(page, "/broken_edges") > 0)
    page_fact(page, "edges left out, as they close cycles", PAGE_PLAIN,
              "/broken_edges");
  page_fact(page, "attempts of each call", PAGE_PLAIN, "/attempts");
  page_fact_text(page, "retries by", page_string(page, "/retry_by"));
  page_fact_text(page,
                 json_is_object(page_get(page, "/overload")) ? "overloaded"
                                                             : "failing",
                 page_string(page, "/failing"));
  page_fact(page, "seed", PAGE_PLAIN, "/seed");
  page_facts_end(page);
}

static const char *paint_of(const char *mode) {
  return strcmp(mode, "ownership") ? "before" : "after";
}

static void draw_bars(page *page, const page_services *services, size_t run,
                      double most) {
  const char *mode = page_string(page, RUNS "/%zu/mode", run);
  char *array = lab_format(RUNS "/%zu/services", run);
  page_bars bars = {.title = page_way(mode),
                    .about = "A bar for each service, as long as its load over "
                             "its load without retries.",
                    .array = array,
                    .items = services->items,
                    .count = services->count,
                    .name = "service",
                    .bars = {{"load", "load", paint_of(mode)}},
                    .bar_count = 1,
                    .most = most,
                    .line = true};
  page_bars_draw(page, &bars);
  page_figure_end(page);
  free(array);
}

static double find_most(const page *page) {
  double most = 1;
  for (size_t i = 0; i < page_size(page, RUNS); i++)
    most = fmax(most, page_number(page, RUNS "/%zu/load/max", i));
  return most;
}

static void draw_loads(page *page, const page_services *services) {
  double most = find_most(page);
  if (services->count == 0)
    return;
  page_section_begin(page, "Load of each service, by mode");
  page_put(
      page,
      "<p>%sA service&rsquo;s load is the calls it gets over those that it "
      "gets without any retry; at the dashed line it is that load.</p>\n",
      services->some ? "The services with the highest load. " : "");
  page_row_begin(page);
  for (size_t i = 0; i < page_size(page, RUNS); i++)
    draw_bars(page, services, i, most);
  page_row_end(page);
  page_section_end(page);
}

static void write_recovery(page *page, size_t run) {
  page_caption_begin(page);
  if (json_is_null(page_get(page, RUNS "/%zu/curve/recovered_seconds", run))) {
    page_put(page, "Does not recover.");
  } else {
    page_put(page, "Recovers ");
    page_value(page, PAGE_PLAIN, RUNS "/%zu/curve/recovered_seconds", run);
    page_put(page, " seconds after the trigger.");
  }
  page_caption_end(page);
}

static void draw_curve(page *page, size_t run, double most) {
  char *place = lab_format(RUNS "/%zu/curve", run);
  bool recovers =
      json_is_number(page_get(page, RUNS "/%zu/curve/recovered_seconds", run));
  page_curves curves = {
      .title = page_way(page_string(page, RUNS "/%zu/mode", run)),
      .about = recovers
                   ? "Once the trigger is over, requests succeed again and "
                     "the load falls back."
                   : "Requests go on failing and the load stays high, "
                     "though the trigger is over.",
      .curve = place,
      .overload = "/overload",
      .most = most};
  page_curves_draw(page, &curves);
  write_recovery(page, run);
  page_figure_end(page);
  free(place);
}

static void draw_curves(page *page) {
  double most = 0;
  if (!json_is_object(page_get(page, "/overload")))
    return;
  for (size_t i = 0; i < page_size(page, RUNS); i++) {
    char *place = lab_format(RUNS "/%zu/curve", i);
    most = fmax(most, page_curves_most(page, place));
    free(place);
  }
  page_section_begin(page, "Overload, and what becomes of it");
  page_put(page, "<p>While the band lasts, the service has a part of its "
                 "capacity only; the dashed line is what it can serve "
                 "otherwise.</p>\n");
  page_row_begin(page);
  for (size_t i = 0; i < page_size(page, RUNS); i++)
    draw_curve(page, i, most);
  page_row_end(page);
  page_section_end(page);
}

void page_write_simulate(page_file *file, const json_t *result) {
  if (!file)
    return;
  page page;
  page_begin(&page, file, result, PAGE_SIMULATE_FLAGS,
             "A simulated fleet under retries");
  page_services services = page_services_choose(&page);
  write_facts(&page);
  draw_curves(&page);
  draw_loads(&page, &services);
  page_simulate_tables(&page, &services);
  free(services.items);
  page_end(&page);
}
