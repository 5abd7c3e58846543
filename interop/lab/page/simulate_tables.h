/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_SIMULATE_TABLES_H
#define EOWN_LAB_PAGE_SIMULATE_TABLES_H

#include "page.h"

/* The runs of a simulation, one for each mode: their place. */
#define PAGE_RUNS "/runs"

/* The services that are shown, by their number in each run's array: all, or
 * those with the highest load where there are many. */
typedef struct page_services {
  size_t *items; /* free() it */
  size_t count;
  bool some; /* not all of them */
} page_services;

page_services page_services_choose(const page *page);

/* Writes the tables of the page of `simulate`. */
void page_simulate_tables(page *page, const page_services *services);

#endif /* EOWN_LAB_PAGE_SIMULATE_TABLES_H */
