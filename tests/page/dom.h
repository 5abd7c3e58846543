/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PAGE_DOM_H
#define EOWN_TESTS_PAGE_DOM_H

#include <jansson.h>
#include <stdbool.h>

/* What a browser made of a page of eown-lab: its document as text. */

/* The result that the page holds; NULL, and a failure, where it holds none. The
 * caller owns it. */
json_t *page_dom_result(const char *dom);

/* Checks every number that says where it is from: what is shown is what the
 * result has there, rounded. Returns how many there are. */
size_t page_dom_check_numbers(const char *dom, const json_t *result);

/* Checks that no cell of a table, and no text in a picture but for ticks, has a
 * number that does not say where it is from. */
void page_dom_check_strangers(const char *dom);

/* Checks that the number at a place is shown, in a table where `table` is set,
 * in a picture where not. */
void page_dom_check_shown(const char *dom, const char *place, bool table);

/* Checks what every page has: one h1, a title and a description for each
 * picture, captions and scopes in tables, and no address of another host. */
void page_dom_check_form(const char *dom);

/* How often `part` is in `text`. */
size_t page_dom_count(const char *text, const char *part);

#endif /* EOWN_TESTS_PAGE_DOM_H */
