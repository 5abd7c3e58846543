/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_RADIUS_TABLES_H
#define EOWN_LAB_PAGE_RADIUS_TABLES_H

#include "page.h"

/* The worst path: its place. */
#define PAGE_WORST_PATH "/worst_path"

/* Writes the list of what to do next, and the tables, of the page of
 * `radius`. */
void page_radius_advice(page *page);
void page_radius_tables(page *page);

#endif /* EOWN_LAB_PAGE_RADIUS_TABLES_H */
