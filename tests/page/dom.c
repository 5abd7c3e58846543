/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "dom.h"

#include "folder.h"
#include "gtest_c.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FROM "data-from=\""
#define ROUNDED 0.000501 /* four digits that count */

size_t page_dom_count(const char *text, const char *part) {
  size_t count = 0;
  for (; (text = strstr(text, part)); text += strlen(part))
    count++;
  return count;
}

json_t *page_dom_result(const char *dom) {
  const char *begin = strstr(dom, " id=\"result\">");
  const char *end = begin ? strstr(begin, "</script>") : NULL;
  CHECK_NOT_NULL(end);
  if (!end)
    return NULL;
  begin = strchr(begin, '>') + 1;
  json_t *result = json_loadb(begin, (size_t)(end - begin), 0, NULL);
  CHECK_NOT_NULL(result);
  return result;
}

/* The text from `begin` up to one of `ends`; the caller owns it. */
static char *take(const char *begin, const char *ends) {
  return strndup(begin, strcspn(begin, ends));
}

static const json_t *find(const json_t *from, char *place) {
  char *rest = NULL;
  for (char *name = strtok_r(place, "/", &rest); name && from;
       name = strtok_r(NULL, "/", &rest))
    from = json_is_array(from) ? json_array_get(from, (size_t)atol(name))
                               : json_object_get(from, name);
  return from;
}

/* Reads "×12 345.6" and "97 %"; digits stand in groups. */
static double parse(const char *shown, double *scale) {
  char digits[64];
  size_t used = 0;
  for (; *shown && used + 1 < sizeof(digits); shown++)
    if (isdigit((unsigned char)*shown) || strchr("+-.e", *shown))
      digits[used++] = *shown;
    else if (*shown == '%')
      *scale = 100;
  digits[used] = '\0';
  return used ? strtod(digits, NULL) : NAN;
}

static void check_number(const json_t *result, const char *place,
                         const char *shown) {
  TEST_TRACE("%s is shown as '%s'", place, shown);
  char *names = strdup(place);
  const json_t *number = find(result, names);
  double scale = 1, found = parse(shown, &scale);
  free(names);
  REQUIRE_TRUE(json_is_number(number));
  double expected = json_number_value(number) * scale;
  bool whole = json_is_integer(number) && scale == 1;
  CHECK_NEAR(expected, found, whole ? 0 : fabs(expected) * ROUNDED);
}

/* The exact value stands in front of the place, where there is one. */
static void check_value(const json_t *result, const char *place,
                        const char *from) {
  static const char value[] = "value=\"";
  const char *begin = from;
  while (*begin != '<')
    begin--;
  const char *at = strstr(begin, value);
  if (!at || at > from)
    return;
  char *names = strdup(place);
  CHECK_NEAR(json_number_value(find(result, names)),
             strtod(at + strlen(value), NULL), 0);
  free(names);
}

size_t page_dom_check_numbers(const char *dom, const json_t *result) {
  size_t count = 0;
  for (const char *at = dom; (at = strstr(at, FROM)); count++) {
    char *place = take(at + strlen(FROM), "\"");
    char *shown = take(strchr(at, '>') + 1, "<");
    check_number(result, place, shown);
    check_value(result, place, at);
    free(place);
    free(shown);
    at += strlen(FROM);
  }
  return count;
}

static bool has_digit(const char *text) {
  return text[strcspn(text, "0123456789")] != '\0';
}

static bool is_number(const char *text) {
  return has_digit(text) && text[strspn(text, "0123456789.,+- ")] == '\0';
}

/* Text of the cell that is not in a <data> element. */
static void check_cell(const char *cell, const char *end) {
  bool inside = false;
  for (const char *at = cell; at < end; at++) {
    if (!strncmp(at, "<data ", 6))
      inside = true;
    if (!strncmp(at, "</data>", 7))
      inside = false;
    if (*at == '<')
      at += strcspn(at, ">");
    else if (isdigit((unsigned char)*at) && !inside)
      FAIL_TEST("a cell has a number of its own: %.*s", (int)(end - cell),
                cell);
  }
}

void page_dom_check_strangers(const char *dom) {
  for (const char *at = dom; (at = strstr(at, "<td>")); at++)
    check_cell(at, strstr(at, "</td>"));
  for (const char *at = dom; (at = strstr(at, "<text ")); at++) {
    char *tag = take(at, ">");
    char *text = take(strchr(at, '>') + 1, "<");
    bool known = strstr(tag, FROM) || strstr(tag, "class=\"tick");
    if (!known && is_number(text))
      FAIL_TEST("a picture has a number of its own: %s>%s", tag, text);
    free(tag);
    free(text);
  }
}

void page_dom_check_shown(const char *dom, const char *place, bool table) {
  char *from = page_format(FROM "%s\"", place);
  bool shown = false;
  for (const char *at = dom; !shown && (at = strstr(at, from)); at++) {
    const char *begin = at;
    while (*begin != '<')
      begin--;
    shown = strncmp(begin, table ? "<data" : "<text", 5) == 0;
  }
  if (!shown)
    FAIL_TEST("%s is in no %s", place, table ? "table" : "picture");
  free(from);
}

static void check_no_address(const char *dom) {
  static const char *const bad[] = {
      "src=",    "href=\"http", "href=\"//", "url(http", "url(\"",
      "@import", " onload=",    " onclick=", "<iframe",  "javascript:"};
  const char *script = strstr(dom, "<script type=\"application/json\"");
  REQUIRE_NOT_NULL(script);
  char *page = strndup(dom, (size_t)(script - dom));
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    if (strstr(page, bad[i]))
      FAIL_TEST("the page has %s", bad[i]);
  CHECK_EQ(1, page_dom_count(dom, "<script"));
  free(page);
}

void page_dom_check_form(const char *dom) {
  size_t pictures = page_dom_count(dom, "<svg viewBox");
  CHECK_EQ(1, page_dom_count(dom, "<h1>"));
  CHECK_GE(pictures, 1u);
  CHECK_EQ(pictures, page_dom_count(dom, "role=\"img\" aria-labelledby="));
  CHECK_EQ(pictures, page_dom_count(dom, "<title id="));
  CHECK_EQ(pictures, page_dom_count(dom, "<desc id="));
  CHECK_EQ(page_dom_count(dom, "<table>"), page_dom_count(dom, "<caption>"));
  CHECK_EQ(0, page_dom_count(dom, "<th>"));
  CHECK_CONTAINS("<meta name=\"viewport\"", dom);
  CHECK_CONTAINS("prefers-color-scheme:dark", dom);
  check_no_address(dom);
}
