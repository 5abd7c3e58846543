/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "callgraph.h"

#include "svg.h"
#include "text.h"

#include <math.h>

#define TOP 38.0
#define STEP 38.0
#define DOT 6.0
#define LANE_LEAST 76.0
#define LANE_MOST 184.0
#define CHARACTER 7.8
#define LANE_STEP 82.0
#define NAME_MOST 20 /* characters in front of the lanes */

const char page_callgraph_key[] =
    "Calls go down. On a thick line attempts multiply: failed calls are made "
    "again. A filled mark is the service that fails. Beside each mark is its "
    "load: the calls it gets for each that it would get without retries.";

/* Where the lanes begin: behind the longest name. */
static double find_left(const page *page, const page_callgraph *callgraph) {
  size_t longest = 0;
  for (size_t i = 0; i < page_size(page, "%s", callgraph->array); i++) {
    size_t length = page_text_length(
        page_string(page, "%s/%zu/%s", callgraph->array, i, callgraph->name));
    longest = length > longest ? length : longest;
  }
  return fmin(fmax(CHARACTER * (double)longest + 4 * DOT, LANE_LEAST),
              LANE_MOST);
}

static double node_y(size_t node) { return TOP + STEP * (double)node; }

static void draw_edge(page *page, const page_lane *lane, double x,
                      size_t node) {
  page_svg_line(page, x, node_y(node) + DOT + 2, x, node_y(node + 1) - DOT - 2,
                lane->multiplies[node] ? "storm" : "calm");
}

static void draw_cross(page *page, double x, double y) {
  page_svg_line(page, x - 2.5, y - 2.5, x + 2.5, y + 2.5, "cross");
  page_svg_line(page, x - 2.5, y + 2.5, x + 2.5, y - 2.5, "cross");
}

static void draw_node(page *page, const page_callgraph *callgraph, size_t lane,
                      double x, size_t node) {
  double y = node_y(node);
  bool failing = callgraph->failing[node];
  page_svg_circle(page, x, y, DOT, failing ? "failing" : "dot");
  if (failing)
    draw_cross(page, x, y);
  page_svg_value(page, x + DOT + 8, y + 4, "", PAGE_TIMES, "%s/%zu/%s",
                 callgraph->array, node, callgraph->lanes[lane].load);
}

static void draw_name(page *page, const page_callgraph *callgraph,
                      size_t node) {
  double y = node_y(node) + 4;
  page_svg_name(
      page, 0, y, "strong",
      page_string(page, "%s/%zu/%s", callgraph->array, node, callgraph->name),
      NAME_MOST);
  if (callgraph->failing[node])
    page_svg_text(page, 0, y + 14, "soft", "fails");
}

static void draw_lane(page *page, const page_callgraph *callgraph, size_t lane,
                      double x, size_t count) {
  const page_lane *way = &callgraph->lanes[lane];
  page_svg_text(page, x - DOT, 12, "soft", way->label);
  for (size_t i = 0; i + 1 < count; i++)
    draw_edge(page, way, x, i);
  for (size_t i = 0; i < count; i++)
    draw_node(page, callgraph, lane, x, i);
}

void page_callgraph_draw(page *page, const page_callgraph *callgraph) {
  size_t count = page_size(page, "%s", callgraph->array);
  double left = find_left(page, callgraph);
  page_svg_begin(page, node_y(count) - STEP / 3, callgraph->title,
                 callgraph->about);
  for (size_t i = 0; i < count; i++)
    draw_name(page, callgraph, i);
  for (size_t i = 0; i < callgraph->lane_count; i++)
    draw_lane(page, callgraph, i, left + LANE_STEP * (double)i, count);
  page_svg_end(page);
}
