/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_FAILURE_H
#define EOWN_LAB_FAILURE_H

#include <stddef.h>

/* Ends the program with status 1 and a message; what was registered with atexit
 * (nodes, scratch folders) is cleaned up. */
_Noreturn void lab_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* malloc of `count` zeroed items, and strdup of formatted text, that fail as
 * lab_fail does. The caller owns the memory. */
void *lab_allocate(size_t count, size_t size);
char *lab_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EOWN_LAB_FAILURE_H */
