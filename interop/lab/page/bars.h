/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_BARS_H
#define EOWN_LAB_PAGE_BARS_H

#include "page.h"

#define PAGE_BARS_MAX 3

/* One number of each row. */
typedef struct page_bar {
  const char *member; /* of the row's object */
  const char *label;  /* in the legend */
  const char *paint;  /* "own", "before", "after", "hatched", "dotted" */
} page_bar;

/* A bar chart of some objects of an array of the result. Rows go down, so that
 * names have room; bars of a row lie one below the other. */
typedef struct page_bars {
  const char *title;
  const char *about; /* what can be seen, for those who do not see it */
  const char *array; /* its place */
  const size_t *items;
  size_t count;
  const char *name; /* member: text */
  const char *skip; /* names are shown from behind this on; NULL: whole */
  page_bar bars[PAGE_BARS_MAX];
  size_t bar_count;
  double most; /* where the scale ends; 0: at the highest */
  bool line;   /* mark one: a load that does not grow */
} page_bars;

/* Draws the chart; the figure is left open for a caption. */
void page_bars_draw(page *page, const page_bars *bars);

/* The highest number in the chart. */
double page_bars_most(const page *page, const page_bars *bars);

/* The name of an item as the chart shows it. */
const char *page_bars_name(const page *page, const page_bars *bars,
                           size_t item);

#endif /* EOWN_LAB_PAGE_BARS_H */
