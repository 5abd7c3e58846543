/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"

#include <string.h>

static bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static char byte_at(const radius_cursor *cursor) {
  return cursor->position < cursor->text.length
             ? cursor->text.start[cursor->position]
             : '\0';
}

static void take(radius_cursor *cursor, size_t length) {
  const char *at = cursor->text.start + cursor->position;
  const char *end = at + length;
  cursor->position += length;
  while ((at = memchr(at, '\n', (size_t)(end - at)))) {
    cursor->place.line++;
    at++;
  }
}

char radius_cursor_next(radius_cursor *cursor) {
  while (is_space(byte_at(cursor)))
    take(cursor, 1);
  return byte_at(cursor);
}

_Noreturn static void refuse_byte(radius_cursor *cursor, const char *what) {
  char byte = byte_at(cursor);
  if (!byte)
    radius_refuse(cursor->place, "the text ends: expected %s", what);
  radius_refuse(cursor->place, "'%c': expected %s", byte, what);
}

void radius_cursor_expect(radius_cursor *cursor, char byte, const char *what) {
  if (radius_cursor_next(cursor) != byte)
    refuse_byte(cursor, what);
  take(cursor, 1);
}

bool radius_cursor_step(radius_cursor *cursor, char close, size_t *count) {
  char byte = radius_cursor_next(cursor);
  if (byte == close) {
    take(cursor, 1);
    return false;
  }
  if ((*count)++ == 0)
    return true;
  radius_cursor_expect(cursor, ',',
                       close == ']' ? "JSON with ',' or ']' after an item"
                                    : "JSON with ',' or '}' after a member");
  return true;
}

json_t *radius_cursor_value(radius_cursor *cursor) {
  if (!radius_cursor_next(cursor))
    refuse_byte(cursor, "a JSON value");
  json_error_t error;
  json_t *value = json_loadb(cursor->text.start + cursor->position,
                             cursor->text.length - cursor->position,
                             JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK |
                                 JSON_REJECT_DUPLICATES,
                             &error);
  if (!value) {
    radius_place place = cursor->place;
    place.line += error.line > 0 ? (size_t)error.line - 1 : 0;
    radius_refuse(place, "%s: expected JSON", error.text);
  }
  take(cursor, (size_t)error.position);
  return value;
}

json_t *radius_cursor_key(radius_cursor *cursor) {
  if (radius_cursor_next(cursor) != '"')
    refuse_byte(cursor, "JSON with the name of a member in quotes");
  json_t *key = radius_cursor_value(cursor);
  radius_cursor_expect(cursor, ':', "JSON with ':' after a member's name");
  return key;
}

void radius_cursor_finish(radius_cursor *cursor) {
  if (radius_cursor_next(cursor))
    refuse_byte(cursor, "nothing after the JSON value");
}
