/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "pointer.h"
#include "text.h"

#include <stdarg.h>
#include <stddef.h>

#define WORD_MOST 12 /* characters; a longer one may be broken anywhere */

void page_table_begin(page *page, const char *caption,
                      const char *const *titles) {
  page_put(page, "<table>\n<caption>");
  page_text(page, caption);
  page_put(page, "</caption>\n<thead>\n<tr>");
  for (size_t i = 0; titles[i]; i++) {
    page_put(page, "<th scope=\"col\">");
    page_text(page, titles[i]);
    page_put(page, "</th>");
  }
  page_put(page, "</tr>\n</thead>\n<tbody>\n");
}

void page_table_end(page *page) { page_put(page, "</tbody>\n</table>\n"); }

void page_table_row_begin(page *page, const char *name, const char *note) {
  bool breaks = page_text_longest_word(name) > WORD_MOST;
  page_put(page, "<tr><th scope=\"row\"%s>", breaks ? " class=\"long\"" : "");
  page_text_write_name(page->out, name);
  if (note) {
    page_put(page, "<small>");
    page_text(page, note);
    page_put(page, "</small>");
  }
  page_put(page, "</th>");
}

void page_table_row_end(page *page) { page_put(page, "</tr>\n"); }

void page_table_value(page *page, page_unit unit, const char *format, ...) {
  char path[PAGE_POINTER];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, sizeof(path), format, arguments);
  va_end(arguments);
  page_put(page, "<td>");
  page_value(page, unit, "%s", path);
  page_put(page, "</td>");
}

void page_table_text(page *page, const char *text) {
  page_put(page, "<td>");
  page_text(page, text);
  page_put(page, "</td>");
}
