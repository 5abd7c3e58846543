/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_REFUSE_H
#define EOWN_LAB_RADIUS_REFUSE_H

#include <stddef.h>

/* A place in an input file, for messages. */
typedef struct radius_place {
  const char *path; /* borrowed; the command line's, or "standard input" */
  size_t line;      /* from 1; 0: no line can be named */
} radius_place;

/* Ends the program with status 2 and "PATH:LINE: " and a message, which says
 * what was found and what was expected. Nothing was printed before: results are
 * only written once all input was read. */
_Noreturn void radius_refuse(radius_place place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* EOWN_LAB_RADIUS_REFUSE_H */
