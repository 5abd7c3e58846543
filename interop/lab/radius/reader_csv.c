/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#define LINE "caller,callee,calls (calls may be left out)"
#define FIELDS 3

/* The fields of a line, as RFC 4180 has them, in the line's own memory. A field
 * in quotes ends on its line. */
typedef struct fields {
  char *line; /* owned */
  char *text[FIELDS];
  size_t count;
} fields;

/* Takes a field in quotes, in place; returns what follows it, NULL where the
 * quotes are not closed. */
static char *unquote(char *at) {
  char *to = at;
  for (char *from = at + 1; *from; from++) {
    if (*from == '"' && *++from != '"') {
      *to = '\0';
      return from;
    }
    *to++ = *from;
  }
  return NULL;
}

/* Ends the field that begins at `at` and returns what follows it. */
static char *end_field(radius_place place, char *at) {
  if (*at != '"')
    return at + strcspn(at, ",");
  char *rest = unquote(at);
  if (!rest || (*rest && *rest != ','))
    radius_refuse(place, "%s: expected " LINE,
                  rest ? "text after a field in quotes" : "open quotes");
  return rest;
}

static void split(fields *self, radius_place place, radius_text line) {
  *self = (fields){.line = lab_format("%.*s", (int)line.length, line.start)};
  for (char *at = self->line;; at++) {
    if (self->count == FIELDS)
      radius_refuse(place, "more than %d fields: expected " LINE, FIELDS);
    self->text[self->count++] = at;
    at = end_field(place, at);
    if (!*at)
      return;
    *at = '\0';
  }
}

static bool is_header(const fields *self) {
  return !strcmp(self->text[0], "caller") && self->count >= 2 &&
         !strcmp(self->text[1], "callee");
}

static double take_calls(const fields *self, radius_place place) {
  double calls = 0;
  if (self->count < FIELDS)
    return 0;
  if (!lab_number_parse(self->text[2], &calls))
    radius_refuse(place, "calls '%s': expected a number above 0",
                  self->text[2]);
  radius_check_count(place, "calls", calls);
  return calls;
}

static void take_line(radius_builder *builder, radius_place place,
                      const fields *line) {
  if (line->count < 2)
    radius_refuse(place, "one field: expected " LINE);
  uint32_t caller =
      radius_builder_node(builder, place, line->text[0], strlen(line->text[0]));
  uint32_t callee =
      radius_builder_node(builder, place, line->text[1], strlen(line->text[1]));
  radius_builder_edge(builder, place, caller, callee, take_calls(line, place));
}

void radius_read_csv(radius_builder *builder, radius_input *input) {
  radius_text line;
  radius_builder_begin(builder, input->place, NULL, 1);
  for (bool first = true; radius_input_line(input, &line); first = false) {
    fields split_line = {0};
    if (line.length) {
      split(&split_line, input->place, line);
      if (!first || !is_header(&split_line))
        take_line(builder, input->place, &split_line);
    }
    free(split_line.line);
    radius_input_advance(input);
  }
  radius_builder_end(builder);
}
