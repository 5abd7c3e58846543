/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_TEXT_H
#define EOWN_LAB_PAGE_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes text so that HTML and SVG, also inside of double quotes, show it as it
 * is. UTF-8; control characters, which HTML does not allow, become U+FFFD. */
void page_text_write(FILE *out, const char *text);

/* The same, and lets the text be broken behind what parts names. */
void page_text_write_name(FILE *out, const char *name);

/* Writes JSON so that it can stand in a script element: no '<' is left, which
 * JSON has in strings only. */
void page_text_write_json(FILE *out, const char *json);

/* How many characters (code points) a text has. */
size_t page_text_length(const char *text);

/* How many characters its longest word has. */
size_t page_text_longest_word(const char *text);

/* Returns the text, or where it has more than `most` characters its beginning
 * and its end with an ellipsis between them. The caller owns it. */
char *page_text_shorten(const char *text, size_t most);

#endif /* EOWN_LAB_PAGE_TEXT_H */
