/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "bars.h"
#include "lab/base/failure.h"
#include "pages.h"
#include "svg.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUES "/scenarios"
#define SEPARATOR ": " /* in a value's name, behind that of its scenario */

/* The values of one scenario. */
typedef struct group {
  size_t first;
  size_t count;
  char *name;
} group;

static char *group_name(const page *page, size_t value) {
  const char *name = page_string(page, VALUES "/%zu/name", value);
  const char *end = strstr(name, SEPARATOR);
  return lab_format("%.*s", (int)(end ? end - name : 0), name);
}

static group find_group(const page *page, size_t first) {
  group group = {.first = first, .name = group_name(page, first)};
  bool same = true;
  while (same && first + group.count < page_size(page, VALUES)) {
    char *name = group_name(page, first + group.count);
    same = !strcmp(name, group.name);
    group.count += same;
    free(name);
  }
  return group;
}

static bool has(const page *page, const group *group, const char *member) {
  for (size_t i = 0; i < group->count; i++)
    if (json_is_number(
            page_get(page, VALUES "/%zu/%s", group->first + i, member)))
      return true;
  return false;
}

static bool passes(const page *page, size_t value) {
  return json_is_true(page_get(page, VALUES "/%zu/pass", value));
}

static bool group_passes(const page *page, const group *group) {
  for (size_t i = 0; i < group->count; i++)
    if (!passes(page, group->first + i))
      return false;
  return true;
}

static void add_bar(page_bars *bars, const char *member, const char *label,
                    const char *paint) {
  bars->bars[bars->bar_count++] = (page_bar){member, label, paint};
}

/* Loads of nodes share a scale, so that storms can be compared. */
static bool shows_loads(const page *page, const page_bars *bars) {
  return strlen(page_bars_name(page, bars, bars->items[0])) == 1;
}

static void draw_group(page *page, const group *group, double most) {
  size_t *items = lab_allocate(group->count, sizeof(*items));
  page_bars bars = {.title = group->name,
                    .about = "For each value, what was published beside what "
                             "was found. The table has the numbers.",
                    .array = VALUES,
                    .items = items,
                    .count = group->count,
                    .name = "name",
                    .skip = SEPARATOR};
  for (size_t i = 0; i < group->count; i++)
    items[i] = group->first + i;
  add_bar(&bars, "expected", "published", "hatched");
  if (has(page, group, "measured"))
    add_bar(&bars, "measured", "measured", "own");
  if (has(page, group, "simulated"))
    add_bar(&bars, "simulated", "simulated", "dotted");
  bars.line = shows_loads(page, &bars);
  bars.most = bars.line ? most : 0;
  page_bars_draw(page, &bars);
  page_caption_begin(page);
  page_put(page, "%s%s",
           group_passes(page, group) ? "As published."
                                     : "<strong>Not as published.</strong>",
           bars.line ? " Of nodes, calls for each request; the dashed line is "
                       "the load without retries."
                     : "");
  page_caption_end(page);
  page_figure_end(page);
  free(items);
}

static void write_expected(page *page, size_t value) {
  bool at_most = json_is_true(page_get(page, VALUES "/%zu/at_most", value));
  page_put(page, "<td>%s", at_most ? "&le; " : "");
  page_value(page, PAGE_PLAIN, VALUES "/%zu/expected", value);
  page_put(page, " <span class=\"within\">&plusmn;");
  page_value(page, PAGE_PLAIN, VALUES "/%zu/tolerance", value);
  page_put(page, "</span></td>");
}

static void write_row(page *page, size_t value, const char *const *found) {
  const char *name = page_string(page, VALUES "/%zu/name", value);
  const char *label = strstr(name, SEPARATOR);
  page_table_row_begin(page, label ? label + strlen(SEPARATOR) : name, NULL);
  write_expected(page, value);
  for (size_t i = 0; found[i]; i++)
    page_table_value(page, PAGE_PLAIN, VALUES "/%zu/%s", value, found[i]);
  page_table_text(page, passes(page, value) ? "yes" : "no");
  page_table_row_end(page);
}

/* Columns only for what was looked at. */
static void write_table(page *page, const group *group) {
  static const char *const ways[] = {"measured", "simulated"};
  const char *titles[6] = {"value", "published"};
  const char *found[3] = {NULL};
  size_t count = 0;
  for (size_t i = 0; i < 2; i++)
    if (has(page, group, ways[i]))
      found[count++] = ways[i];
  for (size_t i = 0; i < count; i++)
    titles[i + 2] = found[i];
  titles[count + 2] = "holds";
  page_table_begin(page, group->name, titles);
  for (size_t i = 0; i < group->count; i++)
    write_row(page, group->first + i, found);
  page_table_end(page);
}

static double find_most_load(const page *page) {
  double most = 0;
  for (size_t i = 0; i < page_size(page, VALUES); i++) {
    const char *name = page_string(page, VALUES "/%zu/name", i);
    const char *label = strstr(name, SEPARATOR);
    if (label && strlen(label) == strlen(SEPARATOR) + 1)
      most = fmax(most, fmax(page_number(page, VALUES "/%zu/expected", i),
                             page_number(page, VALUES "/%zu/measured", i)));
  }
  return most;
}

static void write_groups(page *page, bool tables) {
  double most = find_most_load(page);
  page_row_begin(page);
  for (size_t first = 0; first < page_size(page, VALUES);) {
    group group = find_group(page, first);
    if (tables)
      write_table(page, &group);
    else
      draw_group(page, &group, most);
    first += group.count;
    free(group.name);
  }
  page_row_end(page);
}

static void write_verdict(page *page) {
  bool all = true;
  for (size_t i = 0; i < page_size(page, VALUES); i++)
    all = all && passes(page, i);
  page_put(page,
           "<p class=\"lead\">%s</p>\n<p>Measured: with real processes. "
           "Simulated: by the same rules, without processes. Each may differ "
           "from what was published by a stated tolerance.</p>\n",
           all ? "Every value is as published."
               : "Some values are <strong>not</strong> as published; they are "
                 "marked.");
}

void page_write_published(page_file *file, const json_t *result) {
  if (!file)
    return;
  page page;
  page_begin(&page, file, result, PAGE_PUBLISHED_FLAGS,
             "Published figures of error ownership, checked");
  write_verdict(&page);
  page_section_begin(&page, "Found beside published");
  write_groups(&page, false);
  page_section_end(&page);
  page_section_begin(&page, "The numbers");
  write_groups(&page, true);
  page_section_end(&page);
  page_end(&page);
}
