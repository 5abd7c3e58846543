/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "svg.h"

#include "pointer.h"
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void page_svg_begin(page *page, double height, const char *title,
                    const char *description) {
  unsigned id = ++page->figures;
  page_put(page, "<figure>\n<p class=\"name\" aria-hidden=\"true\">");
  page_text(page, title);
  page_put(page,
           "</p>\n<svg viewBox=\"0 0 %g %g\" role=\"img\" "
           "aria-labelledby=\"title%u about%u\">\n<title id=\"title%u\">",
           PAGE_SVG_WIDTH, height, id, id, id);
  page_text(page, title);
  page_put(page, "</title>\n<desc id=\"about%u\">", id);
  page_text(page, description);
  page_put(page, "</desc>\n");
}

void page_svg_end(page *page) { page_put(page, "</svg>\n"); }

void page_caption_begin(page *page) { page_put(page, "<figcaption>"); }

void page_caption_end(page *page) { page_put(page, "</figcaption>\n"); }

void page_figure_end(page *page) { page_put(page, "</figure>\n"); }

void page_svg_rectangle(page *page, double x, double y, double width,
                        double height, const char *style) {
  page_put(page,
           "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
           "class=\"%s\"/>\n",
           x, y, width, height, style);
}

void page_svg_line(page *page, double x1, double y1, double x2, double y2,
                   const char *style) {
  page_put(page,
           "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" "
           "class=\"%s\"/>\n",
           x1, y1, x2, y2, style);
}

void page_svg_circle(page *page, double x, double y, double radius,
                     const char *style) {
  page_put(page, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" class=\"%s\"/>\n",
           x, y, radius, style);
}

static void begin_text(page *page, double x, double y, const char *style) {
  page_put(page, "<text x=\"%.2f\" y=\"%.2f\" class=\"%s\"", x, y, style);
}

void page_svg_text(page *page, double x, double y, const char *style,
                   const char *text) {
  begin_text(page, x, y, style);
  page_put(page, ">");
  page_text(page, text);
  page_put(page, "</text>\n");
}

void page_svg_name(page *page, double x, double y, const char *style,
                   const char *text, size_t most) {
  char *shown = page_text_shorten(text, most);
  begin_text(page, x, y, style);
  page_put(page, ">");
  if (strcmp(shown, text) != 0) {
    page_put(page, "<title>");
    page_text(page, text);
    page_put(page, "</title>");
  }
  page_text(page, shown);
  page_put(page, "</text>\n");
  free(shown);
}

void page_svg_value(page *page, double x, double y, const char *style,
                    page_unit unit, const char *format, ...) {
  char path[PAGE_POINTER], text[PAGE_NUMBER];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(path, sizeof(path), format, arguments);
  va_end(arguments);
  const json_t *number = page_pointer_find(page->result, path);
  if (!json_is_number(number))
    return;
  begin_text(page, x, y, style);
  page_put(page, " data-from=\"%s\">%s</text>\n", path,
           page_number_format(number, unit, text));
}

void page_svg_tick(page *page, double x, double y, const char *style,
                   double value) {
  char text[PAGE_NUMBER];
  json_t *number = json_real(value);
  page_put(page, "<text x=\"%.2f\" y=\"%.2f\" class=\"tick %s\">%s</text>\n", x,
           y, style, page_number_format(number, PAGE_PLAIN, text));
  json_decref(number);
}
