/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include "lab/base/failure.h"

#include <stdbool.h>
#include <string.h>

static const char *entity_of(char character) {
  switch (character) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

static bool is_control(char character) {
  unsigned char code = (unsigned char)character;
  return (code < 0x20 && code != '\n' && code != '\t') || code == 0x7f;
}

static void write_character(FILE *out, char character) {
  const char *entity = entity_of(character);
  if (entity)
    fputs(entity, out);
  else if (is_control(character))
    fputs("\xef\xbf\xbd", out);
  else
    putc(character, out);
}

void page_text_write(FILE *out, const char *text) {
  for (; *text; text++)
    write_character(out, *text);
}

void page_text_write_name(FILE *out, const char *name) {
  for (; *name; name++) {
    write_character(out, *name);
    if (strchr("/._:+", *name))
      fputs("<wbr>", out);
  }
}

void page_text_write_json(FILE *out, const char *json) {
  for (; *json; json++)
    if (*json == '<')
      fputs("\\u003c", out);
    else
      putc(*json, out);
}

static bool begins_character(char byte) {
  return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t page_text_length(const char *text) {
  size_t length = 0;
  for (; *text; text++)
    length += begins_character(*text);
  return length;
}

size_t page_text_longest_word(const char *text) {
  size_t longest = 0, length = 0;
  for (; *text; text++) {
    length = *text == ' ' ? 0 : length + begins_character(*text);
    longest = length > longest ? length : longest;
  }
  return longest;
}

/* The bytes in front of the character with that number. */
static size_t offset_of(const char *text, size_t number) {
  size_t at = 0;
  for (; text[at]; at++)
    if (begins_character(text[at]) && number-- == 0)
      break;
  return at;
}

char *page_text_shorten(const char *text, size_t most) {
  size_t length = page_text_length(text);
  if (length <= most)
    return lab_format("%s", text);
  size_t front = most / 2;
  size_t back = most - 1 - front;
  return lab_format("%.*s\xe2\x80\xa6%s", (int)offset_of(text, front), text,
                    text + offset_of(text, length - back));
}
