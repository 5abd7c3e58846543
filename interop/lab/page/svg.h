/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_SVG_H
#define EOWN_LAB_PAGE_SVG_H

#include "page.h"

/* Every figure is drawn this wide: what a phone shows without shrinking it. */
#define PAGE_SVG_WIDTH 328.0

/* Begins a figure and its drawing, which others hear of as `title` and
 * `description`. */
void page_svg_begin(page *page, double height, const char *title,
                    const char *description);

/* Ends the drawing; a caption, from then to the end of the figure, may
 * follow. */
void page_svg_end(page *page);
void page_caption_begin(page *page);
void page_caption_end(page *page);
void page_figure_end(page *page);

/* Shapes; `style` names classes of the style sheet. */
void page_svg_rectangle(page *page, double x, double y, double width,
                        double height, const char *style);
void page_svg_line(page *page, double x1, double y1, double x2, double y2,
                   const char *style);
void page_svg_circle(page *page, double x, double y, double radius,
                     const char *style);

/* Text at a point of its base line. The second shortens it to `most`
 * characters, and shows the whole where somebody points at it. */
void page_svg_text(page *page, double x, double y, const char *style,
                   const char *text);
void page_svg_name(page *page, double x, double y, const char *style,
                   const char *text, size_t most);

/* The number at a place of the result. */
void page_svg_value(page *page, double x, double y, const char *style,
                    page_unit unit, const char *path, ...)
    __attribute__((format(printf, 6, 7)));

/* A tick of an axis, which is no number of the result. */
void page_svg_tick(page *page, double x, double y, const char *style,
                   double value);

#endif /* EOWN_LAB_PAGE_SVG_H */
