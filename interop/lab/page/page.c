/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "page.h"

#include "lab/base/failure.h"
#include "pointer.h"
#include "style.h"
#include "text.h"

#include "eown/version.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NO_NUMBER "\xe2\x80\x93"

/* Formats a place of the result into `path`. */
#define TAKE_PATH(path, format)                                                \
  do {                                                                         \
    va_list arguments;                                                         \
    va_start(arguments, format);                                               \
    vsnprintf(path, sizeof(path), format, arguments);                          \
    va_end(arguments);                                                         \
  } while (0)

/* A policy of its own keeps even a changed page from asking anybody for
 * anything. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"generator\" content=\"eown-lab " EOWN_VERSION "\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

/* The numbers of the page are those of the text it holds: read back. */
static void take_result(page *page, const json_t *result) {
  page->text = json_dumps(result, page->flags);
  page->result = page->text ? json_loads(page->text, 0, NULL) : NULL;
  if (!page->result)
    lab_fail("out of memory");
}

void page_begin(page *page, page_file *file, const json_t *result, size_t flags,
                const char *title) {
  *page = (struct page){
      .out = page_file_stream(file), .file = file, .flags = flags};
  take_result(page, result);
  fputs(head, page->out);
  fputs("<title>", page->out);
  page_text(page, title);
  page_put(page, "</title>\n<style>\n");
  for (size_t i = 0; page_style_sheet[i]; i++)
    fputs(page_style_sheet[i], page->out);
  page_put(page, "</style>\n</head>\n<body>\n");
  fputs(page_style_patterns, page->out);
  page_put(page, "<header>\n<p class=\"from\">eown storm lab</p>\n<h1>");
  page_text(page, title);
  page_put(page, "</h1>\n</header>\n<main>\n");
}

void page_end(page *page) {
  page_put(page, "</main>\n<footer>\n<p>All numbers are those of the result, "
                 "which this page holds as JSON in the element "
                 "<code>result</code>.</p>\n</footer>\n"
                 "<script type=\"application/json\" id=\"result\">");
  page_text_write_json(page->out, page->text);
  page_put(page, "</script>\n</body>\n</html>\n");
  page_file_finish(page->file);
  free(page->text);
  json_decref(page->result);
  *page = (struct page){0};
}

void page_put(page *page, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(page->out, format, arguments);
  va_end(arguments);
}

void page_text(page *page, const char *text) {
  page_text_write(page->out, text);
}

void page_section_begin(page *page, const char *title) {
  page_put(page, "<section>\n<h2>");
  page_text(page, title);
  page_put(page, "</h2>\n");
}

void page_section_end(page *page) { page_put(page, "</section>\n"); }

void page_row_begin(page *page) { page_put(page, "<div class=\"row\">\n"); }

void page_row_end(page *page) { page_put(page, "</div>\n"); }

json_t *page_get(const page *page, const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  return page_pointer_find(page->result, path);
}

double page_number(const page *page, const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  return json_number_value(page_pointer_find(page->result, path));
}

const char *page_string(const page *page, const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  const char *text = json_string_value(page_pointer_find(page->result, path));
  return text ? text : "";
}

size_t page_size(const page *page, const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  return json_array_size(page_pointer_find(page->result, path));
}

static void write_value(page *page, page_unit unit, const char *path) {
  const json_t *number = page_pointer_find(page->result, path);
  char text[PAGE_NUMBER];
  if (!json_is_number(number)) {
    page_put(page, NO_NUMBER);
    return;
  }
  char *exact = json_dumps(number, JSON_ENCODE_ANY | page->flags);
  page_put(page, "<data value=\"%s\" data-from=\"%s\">%s</data>",
           exact ? exact : "", path, page_number_format(number, unit, text));
  free(exact);
}

void page_value(page *page, page_unit unit, const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  write_value(page, unit, path);
}

void page_facts_begin(page *page) { page_put(page, "<dl class=\"facts\">\n"); }

void page_facts_end(page *page) { page_put(page, "</dl>\n"); }

static void begin_fact(page *page, const char *label) {
  page_put(page, "<div><dt>");
  page_text(page, label);
  page_put(page, "</dt><dd>");
}

void page_fact(page *page, const char *label, page_unit unit,
               const char *format, ...) {
  char path[PAGE_POINTER];
  TAKE_PATH(path, format);
  begin_fact(page, label);
  write_value(page, unit, path);
  page_put(page, "</dd></div>\n");
}

void page_fact_text(page *page, const char *label, const char *text) {
  begin_fact(page, label);
  page_text(page, text);
  page_put(page, "</dd></div>\n");
}

const char *page_way(const char *name) {
  static const char *const names[][2] = {
      {"chain_stop", "chain stop"},  {"ownership_full", "ownership everywhere"},
      {"off", "eown off"},           {"observe", "eown observing"},
      {"enforce", "eown enforcing"},
  };
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    if (!strcmp(names[i][0], name))
      return names[i][1];
  return name;
}
