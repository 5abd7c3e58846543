/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "input.h"

#include "lab/base/failure.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 18)

static int open_file(radius_input *input, const char *path) {
  int descriptor =
      strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status))
    radius_refuse(input->place, "%s: expected a readable file",
                  strerror(errno));
  if (S_ISDIR(status.st_mode))
    radius_refuse(input->place, "a folder: expected a file");
  return descriptor;
}

void radius_input_open(radius_input *input, const char *path) {
  *input =
      (radius_input){.place = {strcmp(path, "-") ? path : "standard input", 0}};
  int descriptor = open_file(input, path);
  input->file = gzdopen(descriptor, "rb");
  if (!input->file)
    lab_fail("out of memory");
  gzbuffer(input->file, CHUNK);
  input->place.line = 1;
}

static void make_room(radius_input *input) {
  if (input->start) {
    memmove(input->buffer, input->buffer + input->start,
            input->end - input->start);
    input->end -= input->start;
    input->start = 0;
  }
  if (input->capacity - input->end >= CHUNK)
    return;
  if (input->capacity > RADIUS_TEXT_MAX)
    radius_refuse(input->place,
                  "more than %zu MiB: expected at most that in one graph",
                  RADIUS_TEXT_MAX >> 20);
  size_t capacity = input->capacity ? input->capacity * 2 : CHUNK * 2;
  char *buffer = realloc(input->buffer, capacity);
  if (!buffer)
    lab_fail("out of memory");
  input->buffer = buffer;
  input->capacity = capacity;
}

static void check_end(radius_input *input) {
  int error = Z_OK;
  const char *text = gzerror(input->file, &error);
  radius_place file = {input->place.path, 0};
  if (error == Z_BUF_ERROR)
    radius_refuse(file, "the gzip data is cut short: expected a whole file");
  if (error != Z_OK && error != Z_STREAM_END)
    radius_refuse(file, "%s: expected plain text or sound gzip data",
                  error == Z_ERRNO ? strerror(errno) : text);
}

/* Reads one more piece of the file into the buffer. */
static void fill(radius_input *input) {
  make_room(input);
  int got = gzread(input->file, input->buffer + input->end, CHUNK);
  if (got < (int)CHUNK) {
    check_end(input);
    input->ended = gzeof(input->file) || got <= 0;
  }
  if (got <= 0)
    return;
  const char *nul = memchr(input->buffer + input->end, 0, (size_t)got);
  if (nul)
    radius_refuse((radius_place){input->place.path, 0},
                  "a NUL byte: expected text");
  input->end += (size_t)got;
}

static bool skip_byte_order_mark(radius_input *input) {
  static const char mark[] = "\xef\xbb\xbf";
  while (input->end < 3 && !input->ended)
    fill(input);
  return input->end >= 3 && !memcmp(input->buffer, mark, 3);
}

bool radius_input_skip_space(radius_input *input) {
  if (!input->end && skip_byte_order_mark(input))
    input->start = 3;
  for (;;) {
    while (input->start == input->end && !input->ended)
      fill(input);
    if (input->start == input->end)
      return false;
    char byte = input->buffer[input->start];
    if (!isspace((unsigned char)byte))
      return true;
    input->place.line += byte == '\n';
    input->start++;
  }
}

radius_text radius_input_peek(radius_input *input) {
  size_t seen = 0;
  for (;;) {
    const char *start = input->buffer ? input->buffer + input->start : "";
    size_t length = input->end - input->start;
    const char *newline =
        seen < length ? memchr(start + seen, '\n', length - seen) : NULL;
    if (newline)
      return (radius_text){start, (size_t)(newline - start)};
    if (input->ended)
      return (radius_text){start, length};
    seen = length;
    fill(input);
  }
}

bool radius_input_line(radius_input *input, radius_text *line) {
  *line = radius_input_peek(input);
  if (!line->length && input->start == input->end)
    return false;
  input->start += line->length;
  if (input->start < input->end)
    input->start++; /* the end of the line */
  if (line->length && line->start[line->length - 1] == '\r')
    line->length--;
  return true;
}

void radius_input_advance(radius_input *input) { input->place.line++; }

radius_text radius_input_rest(radius_input *input) {
  while (!input->ended)
    fill(input);
  radius_text rest = {input->buffer + input->start, input->end - input->start};
  input->start = input->end;
  return rest;
}

void radius_input_close(radius_input *input) {
  gzclose(input->file);
  free(input->buffer);
  *input = (radius_input){0};
}
