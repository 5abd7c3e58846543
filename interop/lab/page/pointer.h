/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_POINTER_H
#define EOWN_LAB_PAGE_POINTER_H

#include <jansson.h>

#define PAGE_POINTER 160

/* Returns what is at a place of `root`, borrowed; NULL where there is nothing.
 * A place is a JSON pointer whose names hold neither '/' nor '~'. */
json_t *page_pointer_find(const json_t *root, const char *path);

#endif /* EOWN_LAB_PAGE_POINTER_H */
