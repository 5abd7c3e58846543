/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/pins.h"

#include <stdio.h>
#include <string.h>

/* A piece of text, not NUL-terminated. */
typedef struct piece {
  const char *at;
  size_t length;
} piece;

/* One pin, as it stands in the text. */
typedef struct pin {
  piece whole;
  piece inbound; /* "*" where the entry has none */
  piece outbound;
  eown_edge_kind kind;
} pin;

static const piece any = {"*", 1};

static piece trim(piece p) {
  while (p.length > 0 && p.at[0] == ' ') {
    p.at++;
    p.length--;
  }
  while (p.length > 0 && p.at[p.length - 1] == ' ')
    p.length--;
  return p;
}

/* Cuts what stands before `separator` off `*rest`; all of it, and false, where
 * there is no separator. */
static bool cut(piece *rest, char separator, piece *head) {
  const char *found = memchr(rest->at, separator, rest->length);
  *head = *rest;
  if (found == NULL) {
    rest->at += rest->length;
    rest->length = 0;
    return false;
  }
  head->length = (size_t)(found - rest->at);
  rest->at = found + 1;
  rest->length -= head->length + 1;
  return true;
}

static bool is(piece p, const char *text) {
  return p.length == strlen(text) && memcmp(p.at, text, p.length) == 0;
}

static bool read_kind(piece text, eown_edge_kind *kind) {
  if (is(text, "fail-open"))
    *kind = EOWN_EDGE_FAIL_OPEN;
  else if (is(text, "fail-close"))
    *kind = EOWN_EDGE_FAIL_CLOSE;
  else
    return false;
  return true;
}

/* A name: "*", or a path that may end in '*'. */
static bool is_pattern(piece p) {
  const char *star = memchr(p.at, '*', p.length);
  return p.length > 0 && memchr(p.at, '>', p.length) == NULL &&
         (star == NULL || star == p.at + p.length - 1);
}

static bool read_pin(piece text, pin *p) {
  piece left;
  p->whole = text;
  if (!cut(&text, '=', &left) || !read_kind(trim(text), &p->kind))
    return false;
  p->inbound = any;
  if (cut(&left, '>', &p->outbound)) {
    p->inbound = trim(p->outbound);
    p->outbound = left;
  }
  p->outbound = trim(p->outbound);
  return is_pattern(p->inbound) && is_pattern(p->outbound);
}

static bool fits(piece pattern, const char *name, size_t length) {
  if (length == 0)
    name = "";
  if (pattern.at[pattern.length - 1] != '*')
    return pattern.length == length && memcmp(pattern.at, name, length) == 0;
  size_t fixed = pattern.length - 1;
  return fixed <= length && memcmp(pattern.at, name, fixed) == 0;
}

/* Takes the next entry off the text; false at its end. */
static bool next_entry(piece *rest, piece *entry) {
  if (rest->length == 0)
    return false;
  cut(rest, ',', entry);
  *entry = trim(*entry);
  return true;
}

static piece whole_text(const char *text) {
  piece rest = {text, text == NULL ? 0 : strlen(text)};
  return rest;
}

bool eown_pins_find(const char *text, const eown_edge *edge,
                    eown_edge_kind *kind) {
  piece rest = whole_text(text);
  piece entry;
  while (next_entry(&rest, &entry)) {
    pin p;
    if (read_pin(entry, &p) &&
        fits(p.inbound, edge->inbound, edge->inbound_length) &&
        fits(p.outbound, edge->outbound, edge->outbound_length)) {
      *kind = p.kind;
      return true;
    }
  }
  return false;
}

static bool refuse(char *message, size_t size, piece entry) {
  if (message != NULL)
    snprintf(message, size,
             "pin \"%.*s\": expected [inbound>]outbound=fail-open or "
             "=fail-close, with '*' only at the end of a name",
             (int)(entry.length < 128 ? entry.length : 128), entry.at);
  return false;
}

bool eown_pins_check(const char *text, char *message, size_t size) {
  piece rest = whole_text(text);
  piece entry;
  unsigned count = 0;
  bool trailing = rest.length > 0 && rest.at[rest.length - 1] == ',';
  while (next_entry(&rest, &entry)) {
    pin p;
    if (!read_pin(entry, &p))
      return refuse(message, size, entry);
    if (++count > EOWN_PINS_MAX) {
      if (message != NULL)
        snprintf(message, size, "%u pins: expected at most %d", count,
                 EOWN_PINS_MAX);
      return false;
    }
  }
  piece nothing = {"", 0};
  return trailing ? refuse(message, size, nothing) : true;
}
