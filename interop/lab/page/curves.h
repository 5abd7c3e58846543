/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_CURVES_H
#define EOWN_LAB_PAGE_CURVES_H

#include "page.h"

/* The curves of one run, second by second: which part of the requests succeeds,
 * and how many calls come to the overloaded service. */
typedef struct page_curves {
  const char *title;
  const char *about;    /* what can be seen, for those who do not see it */
  const char *curve;    /* place of an object of arrays */
  const char *overload; /* place of what the service can bear, and when */
  double most;          /* calls a second where the scale ends */
} page_curves;

/* Draws them; the figure is left open for a caption. */
void page_curves_draw(page *page, const page_curves *curves);

/* The most calls in a second. */
double page_curves_most(const page *page, const char *curve);

#endif /* EOWN_LAB_PAGE_CURVES_H */
