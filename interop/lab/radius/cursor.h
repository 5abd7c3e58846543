/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_CURSOR_H
#define EOWN_LAB_RADIUS_CURSOR_H

#include "input.h"

#include <jansson.h>

/* Steps through JSON text, so that large arrays are read item by item and each
 * message can name its line; the values themselves are jansson's. What is not
 * JSON, or not what was expected, ends the program with status 2. */
typedef struct radius_cursor {
  radius_text text;
  size_t position;
  radius_place place;
} radius_cursor;

/* Returns the next byte that is no white space, without taking it; '\0' at the
 * end. */
char radius_cursor_next(radius_cursor *cursor);

/* Takes `byte`, which `what` tells people about ("a list of links"). */
void radius_cursor_expect(radius_cursor *cursor, char byte, const char *what);

/* Steps to the next item of a list or object that ends with `close`: takes the
 * comma, or `close` and returns false. `*count` is 0 before the first step. */
bool radius_cursor_step(radius_cursor *cursor, char close, size_t *count);

/* Takes a value; the caller owns it. */
json_t *radius_cursor_value(radius_cursor *cursor);

/* Takes the name of a member and its colon; the caller owns it. */
json_t *radius_cursor_key(radius_cursor *cursor);

/* Refuses anything that is left. */
void radius_cursor_finish(radius_cursor *cursor);

#endif /* EOWN_LAB_RADIUS_CURSOR_H */
