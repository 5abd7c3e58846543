/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_H
#define EOWN_LAB_PAGE_H

#include "file.h"
#include "number.h"

#include <stdbool.h>

/* An HTML page about one JSON result. The page holds the result, and its
 * numbers are written by naming their place in it, as a JSON pointer:
 * "/nodes/3/ratio". Each is an element with that place in `data-from`. */
typedef struct page {
  FILE *out;
  page_file *file;
  char *text; /* the result, as the page holds it */
  json_t *result;
  size_t flags;
  unsigned figures; /* so far: for their ids */
} page;

#define PAGE_PATH __attribute__((format(printf, 2, 3)))

/* Begins a page in `file`, which it takes over. `result` is borrowed for this
 * call; `flags` are those of json_dumps that it is printed with. */
void page_begin(page *page, page_file *file, const json_t *result, size_t flags,
                const char *title);

/* Ends the page, with the result in it, and the file. */
void page_end(page *page);

/* Writes markup as it is. */
void page_put(page *page, const char *format, ...) PAGE_PATH;

/* Writes text, escaped. */
void page_text(page *page, const char *text);

/* A part with a heading. */
void page_section_begin(page *page, const char *title);
void page_section_end(page *page);

/* Things side by side where there is room. */
void page_row_begin(page *page);
void page_row_end(page *page);

/* What is at a place of the result; NULL, 0 or "" where there is none. */
json_t *page_get(const page *page, const char *path, ...) PAGE_PATH;
double page_number(const page *page, const char *path, ...) PAGE_PATH;
const char *page_string(const page *page, const char *path, ...) PAGE_PATH;
size_t page_size(const page *page, const char *path, ...) PAGE_PATH;

/* Writes the number at a place, or a dash where there is none. */
void page_value(page *page, page_unit unit, const char *path, ...)
    __attribute__((format(printf, 3, 4)));

/* One of the figures at the top of a page, with what it is; a group of them
 * stands between the other two. */
void page_facts_begin(page *page);
void page_facts_end(page *page);
void page_fact(page *page, const char *label, page_unit unit, const char *path,
               ...) __attribute__((format(printf, 4, 5)));
void page_fact_text(page *page, const char *label, const char *text);

/* How a way to deal with errors is called: "chain_stop" is "chain stop".
 * Static text, or `name` itself. */
const char *page_way(const char *name);

#endif /* EOWN_LAB_PAGE_H */
