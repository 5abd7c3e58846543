/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "simulate_tables.h"

#include "lab/base/failure.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERVICES_MOST 26u
#define SECONDS_MOST 120u /* rows of a curve's table */

typedef struct ranked {
  size_t item;
  double load;
} ranked;

static int compare(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->load != b->load)
    return a->load > b->load ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* The highest load of the service in any run. */
static double highest_load(const page *page, size_t service) {
  double highest = 0;
  for (size_t i = 0; i < page_size(page, PAGE_RUNS); i++)
    highest =
        fmax(highest,
             page_number(page, PAGE_RUNS "/%zu/services/%zu/load", i, service));
  return highest;
}

/* Few services stay in their order. */
page_services page_services_choose(const page *page) {
  size_t all = page_size(page, PAGE_RUNS "/0/services");
  bool some = all > SERVICES_MOST;
  size_t count = some ? SERVICES_MOST : all;
  ranked *ranking = lab_allocate(all + 1, sizeof(*ranking));
  page_services services = {lab_allocate(count + 1, sizeof(size_t)), count,
                            some};
  for (size_t i = 0; i < all; i++)
    ranking[i] = (ranked){i, some ? highest_load(page, i) : 0};
  qsort(ranking, all, sizeof(*ranking), compare);
  for (size_t i = 0; i < count; i++)
    services.items[i] = ranking[i].item;
  free(ranking);
  return services;
}

/* A column of a table of runs. */
typedef struct column {
  const char *title;
  const char *member;
  page_unit unit;
} column;

static void write_runs(page *page, const char *caption, const column *columns,
                       size_t count) {
  const char *titles[8] = {"mode"};
  for (size_t i = 0; i < count; i++)
    titles[i + 1] = columns[i].title;
  page_table_begin(page, caption, titles);
  for (size_t i = 0; i < page_size(page, PAGE_RUNS); i++) {
    page_table_row_begin(
        page, page_way(page_string(page, PAGE_RUNS "/%zu/mode", i)), NULL);
    for (size_t j = 0; j < count; j++)
      page_table_value(page, columns[j].unit, PAGE_RUNS "/%zu/%s", i,
                       columns[j].member);
    page_table_row_end(page);
  }
  page_table_end(page);
}

static void write_summary(page *page) {
  static const column requests[] = {
      {"requests", "requests", PAGE_PLAIN},
      {"failed", "failures", PAGE_PLAIN},
      {"succeed", "availability", PAGE_SHARE},
  };
  static const column work[] = {
      {"calls", "hops", PAGE_PLAIN},
      {"of no use", "wasted", PAGE_SHARE},
      {"recovers after, s", "curve/recovered_seconds", PAGE_PLAIN},
  };
  static const column load[] = {
      {"looked at", "load/failing", PAGE_PLAIN},
      {"highest", "load/max", PAGE_PLAIN},
      {"mean", "load/mean", PAGE_PLAIN},
  };
  static const column stopped[] = {
      {"unclaimed", "stopped/unclaimed", PAGE_PLAIN},
      {"budget", "stopped/budget", PAGE_PLAIN},
      {"chain stop", "stopped/chain", PAGE_PLAIN},
      {"throttled", "stopped/throttled", PAGE_PLAIN},
  };
  static const column multiplied[] = {
      {"multiplied", "stopped/multiplied", PAGE_PLAIN},
  };
  bool overloaded = json_is_object(page_get(page, "/overload"));
  write_runs(page, "Requests", requests, 3);
  write_runs(page, "Work", work, overloaded ? 3 : 2);
  write_runs(page, "Load of services", load, 3);
  write_runs(page, "Retries stopped, by reason", stopped, 4);
  if (strcmp(page_string(page, "/retry_by"), "both") == 0)
    write_runs(page, "Loops stopped, as gRPC's attempts count", multiplied, 1);
}

static void write_services(page *page, const page_services *services,
                           size_t run) {
  char *caption = lab_format(
      "Services, %s", page_way(page_string(page, PAGE_RUNS "/%zu/mode", run)));
  static const char *const members[] = {"served", "retries", "failed", "load"};
  page_table_begin(
      page, caption,
      PAGE_TITLES("service", "served", "retries", "failed", "load"));
  for (size_t i = 0; i < services->count; i++) {
    size_t item = services->items[i];
    page_table_row_begin(
        page,
        page_string(page, PAGE_RUNS "/%zu/services/%zu/service", run, item),
        NULL);
    for (size_t j = 0; j < 4; j++)
      page_table_value(page, PAGE_PLAIN, PAGE_RUNS "/%zu/services/%zu/%s", run,
                       item, members[j]);
    page_table_row_end(page);
  }
  page_table_end(page);
  free(caption);
}

static void write_second(page *page, size_t run, size_t second) {
  static const char *const members[] = {"requests", "failures", "load", "done",
                                        "queue"};
  char name[32];
  snprintf(name, sizeof(name), "%zu", second);
  page_table_row_begin(page, name, NULL);
  for (size_t j = 0; j < sizeof(members) / sizeof(*members); j++)
    page_table_value(page, PAGE_PLAIN, PAGE_RUNS "/%zu/curve/%s/%zu", run,
                     members[j], second);
  page_table_row_end(page);
}

static void write_curve(page *page, size_t run) {
  size_t seconds = page_size(page, PAGE_RUNS "/%zu/curve/load", run);
  size_t step = seconds / SECONDS_MOST + 1;
  const char *mode = page_way(page_string(page, PAGE_RUNS "/%zu/mode", run));
  char *caption = lab_format("Each second, %s", mode);
  page_put(page, "<details>\n<summary>");
  page_text(page, caption);
  page_put(page, "</summary>\n");
  page_table_begin(
      page, caption,
      PAGE_TITLES("second", "requests", "failed", "calls", "served", "queue"));
  for (size_t i = 0; i < seconds; i += step)
    write_second(page, run, i);
  page_table_end(page);
  page_put(page, "</details>\n");
  free(caption);
}

static void write_curves(page *page) {
  page_section_begin(page, "The curves, second by second");
  page_put(page, "<p>Requests that ended and those of them that failed; calls "
                 "to ");
  page_text(page, page_string(page, "/overload/service"));
  page_put(page, ", those that it served in time, and those that wait at the "
                 "end of the second.</p>\n");
  page_row_begin(page);
  for (size_t i = 0; i < page_size(page, PAGE_RUNS); i++)
    write_curve(page, i);
  page_row_end(page);
  page_section_end(page);
}

void page_simulate_tables(page *page, const page_services *services) {
  page_section_begin(page, "The numbers");
  page_row_begin(page);
  write_summary(page);
  for (size_t i = 0; i < page_size(page, PAGE_RUNS) && services->count; i++)
    write_services(page, services, i);
  page_row_end(page);
  page_section_end(page);
  if (json_is_object(page_get(page, "/overload")))
    write_curves(page);
}
