/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lab_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("eown-lab: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

void *lab_allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory)
    lab_fail("out of memory");
  return memory;
}

char *lab_format(const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    lab_fail("out of memory");
  return text;
}
