/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "refuse.h"

#include "lab/base/failure.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Messages quote the input: nothing in it may steer a terminal. */
static void print_safely(const char *text) {
  for (; *text; text++)
    fputc(iscntrl((unsigned char)*text) ? '?' : *text, stderr);
}

void radius_refuse(radius_place place, const char *format, ...) {
  char *message = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (length < 0)
    lab_fail("out of memory");
  fputs("eown-lab: ", stderr); /* other commands read graphs too */
  print_safely(place.path);
  if (place.line)
    fprintf(stderr, ":%zu", place.line);
  fputs(": ", stderr);
  print_safely(message);
  fputc('\n', stderr);
  free(message);
  quick_exit(2); /* nothing of the command needs cleaning up */
}
