/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_HISTOGRAM_H
#define EOWN_LAB_PAGE_HISTOGRAM_H

#include "page.h"

/* How often each value of something is found, before and after: counts before
 * go to the left, counts after to the right. */
typedef struct page_histogram {
  const char *title;
  const char *about;  /* what can be seen, for those who do not see it */
  const char *array;  /* its place; of objects, by value */
  const char *value;  /* member: the value */
  const char *counts; /* member: an object of counts */
  const char *before; /* members of that */
  const char *after;
} page_histogram;

/* Draws it; the figure is left open for a caption. */
void page_histogram_draw(page *page, const page_histogram *histogram);

#endif /* EOWN_LAB_PAGE_HISTOGRAM_H */
