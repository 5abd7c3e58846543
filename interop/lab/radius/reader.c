/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <ctype.h>
#include <jansson.h>
#include <string.h>
#include <strings.h>

/* A first line that is a whole object with edges begins JSON lines; every other
 * object is one document. */
static radius_format guess_object(radius_text line) {
  json_t *value = json_loadb(line.start, line.length, 0, NULL);
  bool graphs = json_object_get(value, "edges") != NULL ||
                (value && !json_object_get(value, "data"));
  json_decref(value);
  return graphs ? RADIUS_FORMAT_GRAPHS : RADIUS_FORMAT_JAEGER;
}

static bool begins(radius_text line, const char *word) {
  size_t length = strlen(word);
  return line.length >= length && !strncasecmp(line.start, word, length) &&
         (line.length == length ||
          !(isalnum((unsigned char)line.start[length]) ||
            strchr("_,-.", line.start[length])));
}

/* DOT begins with one of its words or a comment; CSV may begin with a service
 * of such a name, but then a comma follows. */
static bool is_dot(radius_text line) {
  return begins(line, "digraph") || begins(line, "graph") ||
         begins(line, "strict") ||
         (line.length >= 2 &&
          (!memcmp(line.start, "//", 2) || !memcmp(line.start, "/*", 2))) ||
         (line.length && *line.start == '#');
}

static radius_format guess(radius_input *input) {
  radius_text line = radius_input_peek(input);
  if (*line.start == '[')
    return RADIUS_FORMAT_ZIPKIN;
  if (*line.start == '{')
    return guess_object(line);
  return is_dot(line) ? RADIUS_FORMAT_DOT : RADIUS_FORMAT_CSV;
}

void radius_read(radius_builder *builder, const char *path,
                 radius_format format) {
  static void (*const readers[RADIUS_FORMAT_N])(radius_builder *,
                                                radius_input *) = {
      [RADIUS_FORMAT_JAEGER] = radius_read_links,
      [RADIUS_FORMAT_ZIPKIN] = radius_read_links,
      [RADIUS_FORMAT_GRAPHS] = radius_read_graphs,
      [RADIUS_FORMAT_DOT] = radius_read_dot,
      [RADIUS_FORMAT_CSV] = radius_read_csv,
  };
  radius_input input;
  radius_input_open(&input, path);
  if (!radius_input_skip_space(&input))
    radius_refuse((radius_place){input.place.path, 1},
                  "the file is empty: expected call graphs (Jaeger, Zipkin, "
                  "JSON lines, DOT or CSV)");
  if (format == RADIUS_FORMAT_GUESS)
    format = guess(&input);
  readers[format](builder, &input);
  radius_input_close(&input);
}
