/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "curves.h"

#include "lab/base/failure.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>

#define LEFT 46.0
#define RIGHT (PAGE_SVG_WIDTH - 14)
#define TITLE 12.0
#define SUCCESS_TOP 20.0
#define SUCCESS_BOTTOM 80.0
#define LOAD_TITLE 106.0
#define LOAD_TOP 114.0
#define LOAD_BOTTOM 194.0
#define HEIGHT 230.0
#define TITLE_MOST 44 /* characters */
#define TICKS 3

/* A value of the curve at one second, and where it is drawn. */
typedef struct plot {
  const page *page;
  const page_curves *curves;
  size_t seconds;
} plot;

static double at_second(const plot *plot, double second) {
  return LEFT + (RIGHT - LEFT) * second / fmax((double)plot->seconds, 1);
}

static double value_of(const plot *plot, const char *name, size_t second) {
  return page_number(plot->page, "%s/%s/%zu", plot->curves->curve, name,
                     second);
}

double page_curves_most(const page *page, const char *curve) {
  double most = 0;
  for (size_t i = 0; i < page_size(page, "%s/load", curve); i++)
    most = fmax(most, page_number(page, "%s/load/%zu", curve, i));
  return most;
}

/* False in a second in which no request ended. */
static bool find_success(const plot *plot, size_t second, double *y) {
  double requests = value_of(plot, "requests", second);
  if (requests <= 0)
    return false;
  double share = 1 - value_of(plot, "failures", second) / requests;
  *y = SUCCESS_BOTTOM - (SUCCESS_BOTTOM - SUCCESS_TOP) * share;
  return true;
}

static double load_y(const plot *plot, double load) {
  double most = fmax(plot->curves->most, 1);
  return LOAD_BOTTOM - (LOAD_BOTTOM - LOAD_TOP) * load / most;
}

static bool find_load(const plot *plot, size_t second, double *y) {
  *y = load_y(plot, value_of(plot, "load", second));
  return true;
}

/* A step for each second. */
static void draw_line(page *page, const plot *plot,
                      bool (*find)(const struct plot *, size_t, double *),
                      const char *style) {
  bool drawing = false;
  page_put(page, "<path class=\"%s\" d=\"", style);
  for (size_t i = 0; i < plot->seconds; i++) {
    double y = 0;
    if (!find(plot, i, &y)) {
      drawing = false;
      continue;
    }
    page_put(page, "%c%.1f %.1fH%.1f", drawing ? 'L' : 'M',
             at_second(plot, (double)i), y, at_second(plot, (double)i + 1));
    drawing = true;
  }
  page_put(page, "\"/>\n");
}

static void draw_trigger(page *page, const plot *plot) {
  const char *overload = plot->curves->overload;
  double start = page_number(page, "%s/trigger/start_seconds", overload);
  double length = page_number(page, "%s/trigger/length_seconds", overload);
  double end = fmin(start + length, (double)plot->seconds);
  if (start >= end)
    return;
  double left = at_second(plot, start), width = at_second(plot, end) - left;
  page_svg_rectangle(page, left, SUCCESS_TOP, width,
                     SUCCESS_BOTTOM - SUCCESS_TOP, "paint-tint");
  page_svg_rectangle(page, left, LOAD_TOP, width, LOAD_BOTTOM - LOAD_TOP,
                     "paint-tint");
}

/* What the service can bear, where the scale holds it. */
static void draw_capacity(page *page, const plot *plot) {
  const char *overload = plot->curves->overload;
  double capacity = page_number(page, "%s/capacity", overload);
  if (capacity > plot->curves->most)
    return;
  double y = load_y(plot, capacity);
  page_svg_line(page, LEFT, y, RIGHT, y, "guide");
  page_svg_value(page, LEFT - 6, y + 4, "end", PAGE_PLAIN, "%s/capacity",
                 overload);
}

/* 1, 2 or 5 times a power of ten, so that few ticks cover the seconds. */
static double find_step(double seconds) {
  double rough = seconds / TICKS;
  double power = pow(10, floor(log10(fmax(rough, 1))));
  double part = rough / power;
  return power * (part > 5 ? 10 : part > 2 ? 5 : part > 1 ? 2 : 1);
}

static void draw_time(page *page, const plot *plot) {
  double step = find_step((double)plot->seconds);
  for (size_t i = 0; step * (double)i <= (double)plot->seconds; i++) {
    double at = step * (double)i;
    double x = at_second(plot, at);
    page_svg_line(page, x, LOAD_BOTTOM, x, LOAD_BOTTOM + 4, "axis");
    page_svg_line(page, x, SUCCESS_BOTTOM, x, SUCCESS_BOTTOM + 4, "axis");
    page_svg_tick(page, x, LOAD_BOTTOM + 17, "middle soft", at);
  }
  page_svg_text(page, (LEFT + RIGHT) / 2, HEIGHT - 3, "middle soft", "seconds");
}

static void draw_frames(page *page, const plot *plot) {
  page_svg_text(page, 0, TITLE, "soft", "requests that succeed, in %");
  page_svg_tick(page, LEFT - 6, SUCCESS_TOP + 5, "end soft", 100);
  page_svg_tick(page, LEFT - 6, SUCCESS_BOTTOM + 3, "end soft", 0);
  char *title =
      lab_format("calls a second to %s",
                 page_string(page, "%s/service", plot->curves->overload));
  page_svg_name(page, 0, LOAD_TITLE, "soft", title, TITLE_MOST);
  free(title);
  page_svg_tick(page, LEFT - 6, LOAD_TOP + 5, "end soft", plot->curves->most);
  page_svg_tick(page, LEFT - 6, LOAD_BOTTOM + 3, "end soft", 0);
  page_svg_line(page, LEFT, SUCCESS_BOTTOM, RIGHT, SUCCESS_BOTTOM, "axis");
  page_svg_line(page, LEFT, LOAD_BOTTOM, RIGHT, LOAD_BOTTOM, "axis");
}

void page_curves_draw(page *page, const page_curves *curves) {
  plot plot = {page, curves, page_size(page, "%s/load", curves->curve)};
  page_svg_begin(page, HEIGHT, curves->title, curves->about);
  draw_trigger(page, &plot);
  draw_frames(page, &plot);
  draw_time(page, &plot);
  draw_capacity(page, &plot);
  draw_line(page, &plot, find_success, "mark-after");
  draw_line(page, &plot, find_load, "mark-before");
  page_svg_end(page);
}
