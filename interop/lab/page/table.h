/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_TABLE_H
#define EOWN_LAB_PAGE_TABLE_H

#include "page.h"

/* Begins a table of columns with these titles, up to NULL; the first is that of
 * the rows' names. */
void page_table_begin(page *page, const char *caption,
                      const char *const *titles);
void page_table_end(page *page);

/* Rows: a name, then cells. A note in small print may stand below the name. */
void page_table_row_begin(page *page, const char *name, const char *note);
void page_table_row_end(page *page);

/* A cell with the number at a place of the result, or with text. */
void page_table_value(page *page, page_unit unit, const char *path, ...)
    __attribute__((format(printf, 3, 4)));
void page_table_text(page *page, const char *text);

/* A list of titles in place. */
#define PAGE_TITLES(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif /* EOWN_LAB_PAGE_TABLE_H */
