/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_CALLGRAPH_H
#define EOWN_LAB_PAGE_CALLGRAPH_H

#include "page.h"

#define PAGE_LANES_MAX 2

/* The path under one way to deal with errors. */
typedef struct page_lane {
  const char *label;
  const char *load;       /* member of a node: its load */
  const bool *multiplies; /* by node: whether attempts multiply on its call to
                             the next */
} page_lane;

/* A path through a call graph: each node calls the next, from the top down. */
typedef struct page_callgraph {
  const char *title;
  const char *about;   /* what can be seen, for those who do not see it */
  const char *array;   /* the place of its nodes */
  const char *name;    /* member: text */
  const bool *failing; /* by node */
  page_lane lanes[PAGE_LANES_MAX];
  size_t lane_count;
} page_callgraph;

/* Draws it, with the edges of the storm marked; the figure is left open for a
 * caption. */
void page_callgraph_draw(page *page, const page_callgraph *callgraph);

/* How to read it, for a caption. */
extern const char page_callgraph_key[];

#endif /* EOWN_LAB_PAGE_CALLGRAPH_H */
