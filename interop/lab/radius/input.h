/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_INPUT_H
#define EOWN_LAB_RADIUS_INPUT_H

#include "refuse.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* A line, and a document that is read as a whole, may be this long. */
#define RADIUS_TEXT_MAX ((size_t)256 << 20)

/* Text of a file, with its length; not NUL-terminated. */
typedef struct radius_text {
  const char *start;
  size_t length;
} radius_text;

/* An input file, plain or gzip, read from its beginning to its end. What cannot
 * be read (no such file, a folder, a cut gzip, a NUL byte, a text too long)
 * ends the program with status 2. */
typedef struct radius_input {
  radius_place place; /* the next byte's */
  gzFile file;
  bool ended; /* all of the file is in the buffer */
  char *buffer;
  size_t start; /* the next byte */
  size_t end;
  size_t capacity;
} radius_input;

/* Opens `path`, borrowed; "-" is standard input. */
void radius_input_open(radius_input *input, const char *path);

/* Skips a byte order mark, and white space. False where nothing else is left.
 */
bool radius_input_skip_space(radius_input *input);

/* Returns the text up to the end of the line, without it, and does not take it:
 * valid until the next call. */
radius_text radius_input_peek(radius_input *input);

/* Takes the next line; false at the end. `place` still names that line. */
bool radius_input_line(radius_input *input, radius_text *line);

/* To the next line's place: call it when a line was worked on. */
void radius_input_advance(radius_input *input);

/* Takes all that is left. */
radius_text radius_input_rest(radius_input *input);

void radius_input_close(radius_input *input);

#endif /* EOWN_LAB_RADIUS_INPUT_H */
