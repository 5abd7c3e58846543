/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "bars.h"

#include "svg.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR 12.0 /* thick */
#define BAR_STEP 15.0
#define ROW_GAP 7.0
#define SHORT_NAME 12u /* characters that fit in front of the bars */
#define CHARACTER 7.4  /* wide */
#define NAME_STEP 16.0
#define NAME_MOST 44 /* characters that fit above them */
#define VALUE_ROOM 62.0
#define LEGEND_STEP 18.0
#define LEGEND_LEFT 112.0

const char *page_bars_name(const page *page, const page_bars *bars,
                           size_t item) {
  const char *name =
      page_string(page, "%s/%zu/%s", bars->array, item, bars->name);
  const char *skipped = bars->skip ? strstr(name, bars->skip) : NULL;
  return skipped ? skipped + strlen(bars->skip) : name;
}

double page_bars_most(const page *page, const page_bars *bars) {
  double most = 0;
  for (size_t i = 0; i < bars->count; i++)
    for (size_t j = 0; j < bars->bar_count; j++)
      most = fmax(most, page_number(page, "%s/%zu/%s", bars->array,
                                    bars->items[i], bars->bars[j].member));
  return most;
}

/* Where the bars of a chart begin and how long they may be. */
typedef struct frame {
  double left;
  double top;
  double name_step; /* 0: names stand in front of the bars */
  double row_step;
  double scale;
} frame;

static size_t find_longest(const page *page, const page_bars *bars) {
  size_t longest = 0;
  for (size_t i = 0; i < bars->count; i++) {
    size_t length =
        page_text_length(page_bars_name(page, bars, bars->items[i]));
    longest = length > longest ? length : longest;
  }
  return longest;
}

static frame make_frame(const page *page, const page_bars *bars) {
  size_t longest = find_longest(page, bars);
  bool names_above = longest > SHORT_NAME;
  double most = bars->most > 0 ? bars->most : page_bars_most(page, bars);
  frame frame = {.left = names_above ? 1 : CHARACTER * (double)longest + 10,
                 .top = bars->bar_count > 1 ? LEGEND_STEP + 6 : 4,
                 .name_step = names_above ? NAME_STEP : 0};
  frame.row_step =
      frame.name_step + BAR_STEP * (double)bars->bar_count + ROW_GAP;
  frame.scale =
      most > 0 ? (PAGE_SVG_WIDTH - frame.left - VALUE_ROOM) / most : 0;
  return frame;
}

static void draw_legend(page *page, const page_bars *bars) {
  if (bars->bar_count < 2)
    return;
  for (size_t i = 0; i < bars->bar_count; i++) {
    char style[32];
    double x = 1 + LEGEND_LEFT * (double)i;
    snprintf(style, sizeof(style), "paint-%s", bars->bars[i].paint);
    page_svg_rectangle(page, x, 2, 18, BAR, style);
    page_svg_text(page, x + 24, 12, "soft", bars->bars[i].label);
  }
}

static double bar_top(const frame *frame, size_t row, size_t bar) {
  return frame->top + frame->row_step * (double)row + frame->name_step +
         BAR_STEP * (double)bar;
}

/* Something can be seen of the smallest, too. */
static double bar_length(const page *page, const page_bars *bars,
                         const frame *frame, size_t row, size_t bar) {
  double value = page_number(page, "%s/%zu/%s", bars->array, bars->items[row],
                             bars->bars[bar].member);
  return fmax(frame->scale * value, 1);
}

static void draw_bar(page *page, const page_bars *bars, const frame *frame,
                     size_t row, size_t bar) {
  char style[32];
  if (!json_is_number(page_get(page, "%s/%zu/%s", bars->array, bars->items[row],
                               bars->bars[bar].member)))
    return;
  snprintf(style, sizeof(style), "paint-%s", bars->bars[bar].paint);
  page_svg_rectangle(page, frame->left, bar_top(frame, row, bar),
                     bar_length(page, bars, frame, row, bar), BAR, style);
}

static void draw_value(page *page, const page_bars *bars, const frame *frame,
                       size_t row, size_t bar) {
  double x = frame->left + bar_length(page, bars, frame, row, bar) + 6;
  page_svg_value(page, x, bar_top(frame, row, bar) + BAR - 2, "", PAGE_PLAIN,
                 "%s/%zu/%s", bars->array, bars->items[row],
                 bars->bars[bar].member);
}

static void draw_name(page *page, const page_bars *bars, const frame *frame,
                      size_t row) {
  const char *name = page_bars_name(page, bars, bars->items[row]);
  double top = frame->top + frame->row_step * (double)row;
  if (frame->name_step > 0)
    page_svg_name(page, 0, top + BAR, "", name, NAME_MOST);
  else
    page_svg_text(page, 0,
                  top + BAR - 2 + BAR_STEP * (double)(bars->bar_count - 1) / 2,
                  "strong", name);
}

/* Where the bars begin, and where a load that does not grow ends. */
static void draw_axis(page *page, const page_bars *bars, const frame *frame,
                      size_t row) {
  double top =
      frame->top + frame->row_step * (double)row + frame->name_step - 3;
  double bottom = top + BAR_STEP * (double)bars->bar_count + 3;
  double one = frame->left + frame->scale;
  page_svg_line(page, frame->left - 0.5, top, frame->left - 0.5, bottom,
                "axis");
  if (bars->line)
    page_svg_line(page, one, top, one, bottom, "guide");
}

static void draw_row(page *page, const page_bars *bars, const frame *frame,
                     size_t row) {
  draw_name(page, bars, frame, row);
  for (size_t i = 0; i < bars->bar_count; i++)
    draw_bar(page, bars, frame, row, i);
  draw_axis(page, bars, frame, row);
  for (size_t i = 0; i < bars->bar_count; i++)
    draw_value(page, bars, frame, row, i);
}

void page_bars_draw(page *page, const page_bars *bars) {
  frame frame = make_frame(page, bars);
  double height = frame.top + frame.row_step * (double)bars->count;
  page_svg_begin(page, height, bars->title, bars->about);
  draw_legend(page, bars);
  for (size_t i = 0; i < bars->count; i++)
    draw_row(page, bars, &frame, i);
  page_svg_end(page);
}
