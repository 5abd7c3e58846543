/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include "svg.h"

#include <math.h>

#define TOP 26.0
#define ROW 20.0
#define BAR 14.0
#define MIDDLE (PAGE_SVG_WIDTH / 2)
#define VALUE_HALF 26.0 /* of the room for values, in the middle */
#define COUNT_ROOM 48.0
#define BAR_MOST (MIDDLE - VALUE_HALF - COUNT_ROOM)

static double count_of(const page *page, const page_histogram *histogram,
                       size_t row, const char *way) {
  return page_number(page, "%s/%zu/%s/%s", histogram->array, row,
                     histogram->counts, way);
}

static double find_most(const page *page, const page_histogram *histogram) {
  double most = 1;
  for (size_t i = 0; i < page_size(page, "%s", histogram->array); i++)
    most = fmax(most, fmax(count_of(page, histogram, i, histogram->before),
                           count_of(page, histogram, i, histogram->after)));
  return most;
}

/* `side` is -1 to the left, 1 to the right. */
static void draw_side(page *page, const page_histogram *histogram, size_t row,
                      const char *way, double side, double most) {
  double count = count_of(page, histogram, row, way);
  double top = TOP + ROW * (double)row;
  double from = MIDDLE + side * VALUE_HALF;
  double length = count > 0 ? fmax(count / most * BAR_MOST, 1.5) : 0;
  if (count <= 0)
    return;
  page_svg_rectangle(page, side < 0 ? from - length : from, top, length, BAR,
                     side < 0 ? "paint-before" : "paint-after");
  page_svg_value(page, from + side * (length + 5), top + BAR - 3,
                 side < 0 ? "end" : "", PAGE_PLAIN, "%s/%zu/%s/%s",
                 histogram->array, row, histogram->counts, way);
}

static void draw_row(page *page, const page_histogram *histogram, size_t row,
                     double most) {
  draw_side(page, histogram, row, histogram->before, -1, most);
  draw_side(page, histogram, row, histogram->after, 1, most);
  page_svg_value(page, MIDDLE, TOP + ROW * (double)row + BAR - 3,
                 "middle strong", PAGE_PLAIN, "%s/%zu/%s", histogram->array,
                 row, histogram->value);
}

static void draw_axis(page *page, double side, double bottom) {
  double x = MIDDLE + side * (VALUE_HALF - 0.5);
  page_svg_line(page, x, TOP - 4, x, bottom, "axis");
}

void page_histogram_draw(page *page, const page_histogram *histogram) {
  size_t rows = page_size(page, "%s", histogram->array);
  double most = find_most(page, histogram);
  double height = TOP + ROW * (double)rows + 2;
  page_svg_begin(page, height, histogram->title, histogram->about);
  page_svg_text(page, MIDDLE - VALUE_HALF - 4, 12, "end soft",
                page_way(histogram->before));
  page_svg_text(page, MIDDLE, 12, "middle soft", histogram->value);
  page_svg_text(page, MIDDLE + VALUE_HALF + 4, 12, "soft",
                page_way(histogram->after));
  for (size_t i = 0; i < rows; i++)
    draw_row(page, histogram, i, most);
  draw_axis(page, -1, height);
  draw_axis(page, 1, height);
  page_svg_end(page);
}
