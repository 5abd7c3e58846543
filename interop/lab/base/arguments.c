/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "arguments.h"

#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void grow(lab_arguments *arguments) {
  size_t capacity = arguments->capacity ? arguments->capacity * 2 : 16;
  char **items = realloc(arguments->items, capacity * sizeof(*items));
  if (!items)
    lab_fail("out of memory");
  arguments->items = items;
  arguments->capacity = capacity;
}

void lab_arguments_add(lab_arguments *arguments, const char *format, ...) {
  if (arguments->count + 1 >= arguments->capacity)
    grow(arguments);
  char *text = NULL;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  if (length < 0)
    lab_fail("out of memory");
  arguments->items[arguments->count++] = text;
  arguments->items[arguments->count] = NULL;
}

void lab_arguments_clear(lab_arguments *arguments) {
  for (size_t i = 0; i < arguments->count; i++)
    free(arguments->items[i]);
  free(arguments->items);
  *arguments = (lab_arguments){0};
}
