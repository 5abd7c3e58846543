/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "bars.h"
#include "callgraph.h"
#include "lab/base/failure.h"
#include "pages.h"
#include "svg.h"
#include "table.h"

#include <stdlib.h>

#define NODES "/nodes"
#define GROWS 1.001 /* a load above its caller's by more than this factor */

static size_t count_nodes(const page *page) { return page_size(page, NODES); }

static const char *paint_of(const page *page) {
  const char *mode = page_string(page, "/mode");
  return *mode == 'e' ? "after" : "before";
}

static size_t find_highest(const page *page) {
  size_t highest = 0;
  for (size_t i = 1; i < count_nodes(page); i++)
    if (page_number(page, NODES "/%zu/served", i) >
        page_number(page, NODES "/%zu/served", highest))
      highest = i;
  return highest;
}

static void write_facts(page *page) {
  size_t highest = find_highest(page);
  char *label = lab_format("highest load, at %s",
                           page_string(page, NODES "/%zu/name", highest));
  page_facts_begin(page);
  page_fact(page, label, PAGE_TIMES, NODES "/%zu/ratio", highest);
  page_fact_text(page, "mode of eown", page_string(page, "/mode"));
  page_fact(page, "requests to the chain", PAGE_PLAIN, "/requests");
  page_fact(page, "answered", PAGE_PLAIN, "/root/ok");
  page_fact(page, "failed", PAGE_PLAIN, "/root/errors");
  if (json_is_string(page_get(page, "/root/owner"))) {
    page_fact_text(page, "owner of the error",
                   page_string(page, "/root/owner"));
    page_fact(page, "hops to the owner", PAGE_PLAIN, "/root/hops");
  }
  page_fact(page, "seconds", PAGE_PLAIN, "/seconds");
  page_facts_end(page);
  free(label);
}

/* What can be seen, without numbers: those are in the tables. */
static char *describe_load(const page *page) {
  size_t highest = find_highest(page);
  return lab_format(
      "A bar for each node of the chain, from %s at the top to %s at the "
      "bottom. The longest is that of %s.",
      page_string(page, NODES "/%zu/name", (size_t)0),
      page_string(page, NODES "/%zu/name", count_nodes(page) - 1),
      page_string(page, NODES "/%zu/name", highest));
}

static void draw_load(page *page) {
  size_t count = count_nodes(page);
  size_t *items = lab_allocate(count, sizeof(*items));
  char *about = describe_load(page);
  char *title = lab_format("Calls served for each request, %s",
                           page_way(page_string(page, "/mode")));
  for (size_t i = 0; i < count; i++)
    items[i] = i;
  page_bars bars = {.title = title,
                    .about = about,
                    .array = NODES,
                    .items = items,
                    .count = count,
                    .name = "name",
                    .bars = {{"ratio", "served", paint_of(page)}},
                    .bar_count = 1,
                    .line = true};
  page_bars_draw(page, &bars);
  page_caption_begin(page);
  page_put(page, "The dashed line is the load without retries.");
  page_caption_end(page);
  page_figure_end(page);
  free(title);
  free(about);
  free(items);
}

/* Marks the edges on which the load grows; returns whether any does. */
static bool find_storm(const page *page, bool *multiplies, bool *failing) {
  bool any = false;
  for (size_t i = 0; i < count_nodes(page); i++) {
    failing[i] = page_number(page, NODES "/%zu/own_failures", i) > 0 ||
                 json_is_true(page_get(page, NODES "/%zu/killed", i));
    multiplies[i] = page_number(page, NODES "/%zu/ratio", i + 1) >
                    page_number(page, NODES "/%zu/ratio", i) * GROWS;
    any |= multiplies[i];
  }
  return any;
}

static void draw_chain(page *page) {
  size_t count = count_nodes(page);
  bool *multiplies = lab_allocate(count, sizeof(*multiplies));
  bool *failing = lab_allocate(count, sizeof(*failing));
  bool any = find_storm(page, multiplies, failing);
  page_callgraph callgraph = {
      .title = "The chain and the storm's path",
      .about = any ? "The nodes from the first caller down. Thick lines mark "
                     "the calls on which attempts multiply."
                   : "The nodes from the first caller down. Attempts multiply "
                     "on none of the calls.",
      .array = NODES,
      .name = "name",
      .failing = failing,
      .lanes = {{page_way(page_string(page, "/mode")), "ratio", multiplies}},
      .lane_count = 1};
  page_callgraph_draw(page, &callgraph);
  page_caption_begin(page);
  page_text(page, page_callgraph_key);
  page_caption_end(page);
  page_figure_end(page);
  free(multiplies);
  free(failing);
}

/* A table of some members of each node. */
static void write_table(page *page, const char *caption,
                        const char *const *titles, const char *const *members) {
  page_table_begin(page, caption, titles);
  for (size_t i = 0; i < count_nodes(page); i++) {
    bool killed = json_is_true(page_get(page, NODES "/%zu/killed", i));
    page_table_row_begin(page, page_string(page, NODES "/%zu/name", i),
                         killed ? "killed" : NULL);
    for (size_t j = 0; members[j]; j++)
      page_table_value(page, PAGE_PLAIN, NODES "/%zu/%s", i, members[j]);
    page_table_row_end(page);
  }
  page_table_end(page);
}

static void write_tables(page *page) {
  page_section_begin(page, "The numbers");
  page_row_begin(page);
  write_table(page, "Load", PAGE_TITLES("node", "served", "for each request"),
              PAGE_TITLES("served", "ratio"));
  write_table(page, "Retries stopped, by reason",
              PAGE_TITLES("node", "unclaimed", "budget", "chain stop"),
              PAGE_TITLES("retries_stopped/unclaimed", "retries_stopped/budget",
                          "retries_stopped/chain"));
  write_table(page, "Claims sent with errors",
              PAGE_TITLES("node", "claimed", "unclaimed"),
              PAGE_TITLES("claims_sent/claimed", "claims_sent/unclaimed"));
  page_row_end(page);
  page_section_end(page);
}

void page_write_chain(page_file *file, const json_t *result) {
  if (!file)
    return;
  page page;
  page_begin(&page, file, result, PAGE_CHAIN_FLAGS,
             "A chain of services while one fails");
  write_facts(&page);
  page_section_begin(&page, "Who serves how much");
  page_row_begin(&page);
  draw_load(&page);
  draw_chain(&page);
  page_row_end(&page);
  page_section_end(&page);
  write_tables(&page);
  page_end(&page);
}
