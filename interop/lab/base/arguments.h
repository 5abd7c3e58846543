/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_ARGUMENTS_H
#define EOWN_LAB_ARGUMENTS_H

#include <stddef.h>

/* An argument vector that grows; `items` always ends with NULL once something
 * was added. Zero it before use. */
typedef struct lab_arguments {
  char **items;
  size_t count;
  size_t capacity;
} lab_arguments;

/* Adds one argument, formatted. */
void lab_arguments_add(lab_arguments *arguments, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Frees all of it. */
void lab_arguments_clear(lab_arguments *arguments);

#endif /* EOWN_LAB_ARGUMENTS_H */
