/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_STYLE_H
#define EOWN_LAB_PAGE_STYLE_H

/* The style sheet of all pages, in pieces up to NULL, and the patterns that
 * fill bars. */
extern const char *const page_style_sheet[];
extern const char page_style_patterns[];

#endif /* EOWN_LAB_PAGE_STYLE_H */
